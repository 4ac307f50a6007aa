/** Writes that ask first: questions, passwords, step-up proofs, repeated requests; and secrets shown once. */

import {
  announce,
  announceChange,
  ApiError,
  failureText,
  fill,
  h,
  hasCode,
  needsCode,
  newKey,
  refusalText,
  requestKey,
  secondFactorOf,
  send,
  session,
  signIn,
  t,
  thisVisit,
  visit,
} from "./base.js";
import { ask, form } from "../fields/controls.js";
import { counted } from "../fields/shown.js";

/** @type {(fields: readonly Field[]) => Record<string, string>} */
export function textsOf(fields) {
  return Object.fromEntries(fields.map(({ name, text }) => [name, text()]));
}

/** @param {readonly Field[]} fields @param {Readonly<Record<string, string>>} texts */
export function showTexts(fields, texts) {
  for (const { name, setText } of fields) setText(texts[name] ?? "");
}

/**
 * Sends the requests of one form or button: a repetition has the same key, another body another
 * one.
 * @returns {ProvenSend}
 */
export function repeatable() {
  const seed = newKey();
  return (method, path, { body, proof }) => {
    const key = requestKey(seed, { method, path, body });
    return send(method, path, { body, key, ...(proof !== undefined && { proof }) });
  };
}

/**
 * The place of a button that uses a passkey. It stays empty if the browser cannot, or is offline.
 * @param {(passkeys: typeof import("./passkeys.js"), place: Element) => unknown} offer
 */
function passkeyPlace(offer) {
  const place = h("div");
  import("./passkeys.js").then((passkeys) => offer(passkeys, place), () => {});
  return place;
}

/** Asks for the password without losing text when a session ends. */

/**
 * Runs work. If the session has ended, the person signs in and the work is repeated with the same
 * key.
 * @template Result
 * @param {() => Promise<Result>} work
 * @throws {ApiError} `AUTH_REQUIRED` if the person does not sign in.
 */
export async function withSession(work) {
  try {
    return await work();
  } catch (error) {
    if (!hasCode(error, "AUTH_REQUIRED")) throw error;
    if (!await signInAgain()) throw error;
    return await work();
  }
}

/** @returns {Promise<boolean>} whether there is a session. */
async function signInAgain() {
  const { email } = session().account;
  const question = {
    email,
    title: t("passwordAgain"),
    text: [h("p", t("passwordAgainText"))],
    action: t("signIn"),
    beside: (/** @type {(isDone: boolean) => void} */ answer) =>
      passkeyPlace((passkeys, place) =>
        passkeys.offerSignIn(place, () => email, () => answer(true))
      ),
    refusal: (/** @type {unknown} */ error) =>
      error instanceof ApiError ? refusalText(error) : null,
  };
  const signedIn = await askPassword(question, async (password, code) => {
    await signIn(email, password, code);
    return true;
  });
  return signedIn === true;
}

/**
 * @template Result
 * @param {PasswordQuestion} question
 * @param {(password: string, code: string) => Promise<Result>} use
 * @returns {Promise<Result | null>} null if the person cancels.
 */
function askPassword(question, use) {
  const { email, title, text, action, takesCode = false, beside, refusal } = question;
  /** @type {PromiseWithResolvers<Result | null>} */
  const { promise, resolve, reject } = Promise.withResolvers();
  const password = h("input", { type: "password", id: "again", autocomplete: "current-password" });
  const code = h("input", { id: "again-code", autocomplete: "one-time-code" });
  const codeField = h(
    "div.field",
    { hidden: !takesCode },
    h("label", { for: "again-code" }, t("secondFactor")),
    code,
  );
  const refused = h("p.refusal", { role: "alert" });
  const button = h("button.main", { type: "submit" }, action);
  const close = () => {
    dialog.close();
  };
  const answer = (/** @type {Result} */ result) => {
    resolve(result);
    close();
  };
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      answer(await use(password.value, code.value));
    } catch (error) {
      const meaning = refusal(error);
      if (meaning === null) {
        reject(error);
        return close();
      }
      refused.textContent = meaning;
      if (needsCode(error)) codeField.hidden = false;
      const wrong = needsCode(error) ? code : password;
      wrong.focus();
      wrong.select();
    } finally {
      button.disabled = false;
    }
  };
  const closed = () => {
    dialog.remove();
    resolve(null);
  };
  const dialog = h(
    "dialog",
    { "aria-labelledby": "again-title", onclose: closed },
    h("h2", { id: "again-title" }, title),
    ...text,
    h(
      "form",
      { onsubmit: send },
      h("input", { type: "hidden", autocomplete: "username", value: email }),
      h("div.field", h("label", { for: "again" }, t("password")), password, refused),
      codeField,
      h("div.bar", button, h("button", { onclick: close }, t("cancel")), beside?.(answer)),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return promise;
}

/**
 * Asks for the password or a passkey again. The service returns a proof for one action, used in one request and
 * stored nowhere.
 */

/**
 * Runs an action that requires a proof. A wrong password keeps the dialog open.
 *
 *     const made = await withProof(session, { purpose: "TOKEN_CREATE", what: t("newToken") }, (proof) =>
 *       send("POST", "/api/v2/auth/tokens", { body, proof }));
 *     if (made === null) return; // The person cancelled: nothing was sent.
 *
 * A proof's first success uses it up: a repetition asks again, and keeps its key.
 * @template Result
 * @param {ProvenAct} act
 * @param {(proof: string) => Promise<Result>} work Sends one request with the proof.
 * @returns {Promise<Result | null>} null if the person cancels.
 * @throws {ApiError}
 */
export function withProof(act, work) {
  return withSession(async () => {
    const proof = await askProof(act);
    return proof === null ? null : await work(proof);
  });
}

/** @type {(act: ProvenAct) => Promise<string | null>} */
function askProof({ purpose, what, thing, targetId }) {
  const { account: { email }, secondFactor } = session();
  const text = [thing !== undefined && h("p.words", thing), h("p", t("proofText"))];
  const refusal = (/** @type {unknown} */ error) => {
    if (!(error instanceof ApiError) || error.code === "AUTH_REQUIRED") return null;
    if (error.code !== "STEP_UP_REQUIRED") return failureText(error.code);
    return t(secondFactor ? "proofRefused" : "passwordWrong");
  };
  const beside = (/** @type {(proof: string) => void} */ answer) =>
    passkeyPlace((passkeys, place) => passkeys.offerProof(place, { purpose, targetId }, answer));
  const action = t("confirm");
  const question = { email, title: what, text, action, takesCode: secondFactor, beside };
  return askPassword({ ...question, refusal }, async (password, code) => {
    const body = { password, ...secondFactorOf(code), purpose, targetId };
    return (await send("POST", "/api/v2/auth/step-up", { body })).data.proof;
  });
}

/** Forms with unsaved changes: saved before the page is left, or else the person is asked. */

const SAVE_TIMEOUT_MS = 2_000;

/** @type {Set<WatchedForm>} */
const all = new Set();
/**
 * Open questions by act: a closed or rejected one reopens with its text, as the same act.
 * @type {Map<string, { texts: Readonly<Record<string, string>>, sendAct: ProvenSend }>}
 */
const questions = new Map();
let isAsking = false;

/** Watches a form until its page is left and it is saved. @param {WatchedForm} form */
export function watchForm(form) {
  all.add(form);
  const left = () => form.isUnsaved() || all.delete(form);
  thisVisit().addEventListener("abort", left, { once: true });
}

/**
 * Watches fields that are saved only by sending.
 * @param {readonly Field[]} fields
 * @returns {() => void} Call it once they are sent.
 */
export function watchFields(fields) {
  const held = () => JSON.stringify(textsOf(fields));
  let sent = held();
  const isShown = () => fields.some(({ element }) => element.isConnected);
  watchForm({ isUnsaved: () => isShown() && held() !== sent });
  return () => {
    sent = held();
  };
}

function unsavedForms() {
  return [...all].filter(({ isUnsaved }) => isUnsaved());
}

function saveNow() {
  return unsavedForms().map(({ save }) => save?.());
}

/** @returns {Promise<number>} how many forms remain unsaved. */
export async function saveForms() {
  const saving = saveNow();
  const { promise: waited, resolve } = Promise.withResolvers();
  const timer = setTimeout(resolve, SAVE_TIMEOUT_MS);
  await Promise.race([Promise.allSettled(saving), waited]);
  clearTimeout(timer);
  return unsavedForms().length;
}

/** True if forms are saved, or the person discards them. */
export async function confirmLeave() {
  if (isAsking) return false;
  isAsking = true;
  try {
    const count = await saveForms();
    if (count === 0) return true;
    const isDiscarded = await askLeave(count);
    if (isDiscarded) discardForms();
    return isDiscarded;
  } finally {
    isAsking = false;
  }
}

export function discardForms() {
  for (const { cancel } of all) cancel?.();
  all.clear();
  questions.clear();
}

/**
 * Stops a navigation that would lose changes; repeats it if the person agrees.
 * @param {NavigateEvent} event
 * @returns {boolean} false if it continues: nothing is unsaved, or the browser cannot stop it.
 */
export function blockLeaving(event) {
  saveNow();
  if (unsavedForms().length === 0 || !event.cancelable) return false;
  event.preventDefault();
  const { destination: { url, key }, navigationType } = event;
  void confirmLeave().then((isFree) => {
    if (!isFree) return;
    if (navigationType === "traverse") globalThis.navigation.traverseTo(key);
    else location.assign(url);
  });
  return true;
}

/** Also saves, or asks, when the browser leaves the page. */
export function startWatching() {
  addEventListener("beforeunload", (event) => {
    saveNow();
    if (unsavedForms().length > 0) event.preventDefault();
  });
  addEventListener("pagehide", saveNow);
  document.addEventListener("visibilitychange", saveNow);
}

/** Repeated presses act once. @param {Act} what */
export function actButton(what) {
  const sendAct = repeatable();
  const { body } = what;
  return button(what, () => post(what, typeof body === "function" ? body() : body, sendAct));
}

/**
 * @param {Act & Asked & { action?: string }} what `action` labels the dialog's button; default
 * `name`.
 * @param {() => readonly Field[] | Promise<readonly Field[]>} makeFields
 * @param {(texts: Readonly<Record<string, string>>) => unknown} toBody
 */
export function askButton(what, makeFields, toBody) {
  const name = [session().account.accountId, what.path, what.name].join(" ");
  return button(what, async () => {
    const fields = await makeFields();
    const { texts, sendAct } = questions.get(name) ??
      { texts: textsOf(fields), sendAct: repeatable() };
    const over = watchFields(fields);
    showTexts(fields, texts);
    const keep = () => {
      over();
      questions.set(name, { texts: textsOf(fields), sendAct });
    };
    const work = () => post(what, toBody(textsOf(fields)), sendAct);
    const isDone = await ask({ action: what.name, ...what, fields }, work).finally(keep);
    if (isDone) questions.delete(name);
    return isDone;
  });
}

/** @param {Act} what @param {ProvenAct} proven */
export function proofButton(what, proven) {
  const sendAct = repeatable();
  const { path, body } = what;
  return button(what, async () => {
    const work = (/** @type {string} */ proof) => sendAct("POST", path, { body, proof });
    return await withProof(proven, work) !== null;
  });
}

/**
 * @param {Act} what
 * @param {() => Promise<unknown>} work Resolves to false if the person cancels.
 */
function button({ name, label, shortcut, isGrave = false, isMain, page, done, then }, work) {
  let isWorking = false;
  const press = async () => {
    const here = thisVisit();
    try {
      if (await work() === false) return;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      announce(failureText(error.code));
      // After a conflict, the page is outdated.
      if (error.status === 409) await visit(page, here);
      return;
    }
    announce(done);
    if (then !== undefined) return then();
    await visit(page, here);
  };
  const onclick = async () => {
    if (isWorking) return;
    isWorking = true;
    await press().finally(() => isWorking = false);
  };
  const attributes = {
    type: "button",
    class: isGrave ? "danger" : isMain && "main",
    "aria-label": label,
    "aria-keyshortcuts": shortcut,
  };
  return h("button", { ...attributes, onclick }, name);
}

/** @param {Act} what @param {unknown} body @param {ProvenSend} sendAct */
async function post({ path, method = "POST" }, body, sendAct) {
  const result = await withSession(() => sendAct(method, path, { body }));
  announceChange(path);
  return result;
}

/** @param {number} count @returns {Promise<boolean>} true if it may be discarded. */
async function askLeave(count) {
  const text = counted(count, "unsavedForms");
  return await ask({ title: t("leaveQuestion"), text, action: t("leave") }, async () => {});
}

/** @param {NewCredential} credential `bodyOf` returns null after it has refused a field. */
export function credentialForm({ what, path, fields, before = [], bodyOf, shown }) {
  const place = h("div");
  const submit = async () => {
    const body = bodyOf();
    if (body === null) return;
    const act = { purpose: /** @type {const} */ ("TOKEN_CREATE"), what, thing: body.name };
    const made = await withProof(act, (proof) => send("POST", path, { body, proof }));
    if (made !== null) showOnce(place, shown(made.data));
  };
  fill(place, form(fields, what, submit, { before }));
  return { title: what, body: [place] };
}

/** @param {string} days */
export function timeAfter(days) {
  return new Date(Date.now() + Number(days) * 86_400_000).toISOString();
}

/** @param {HTMLElement} place @param {ShownOnce} shown */
export function showOnce(place, { text, secrets, stored, done }) {
  const copy = async () => {
    await navigator.clipboard.writeText(secrets.join("\n"));
    announce(t("copied"));
  };
  const block = h(
    "div.note",
    { tabindex: -1 },
    h("p", text),
    h("ul.lines.exact", { translate: "no" }, secrets.map((secret) => h("li", secret))),
    h(
      "div.bar",
      h("button.main", { onclick: done }, stored),
      // Missing on insecure origins.
      navigator.clipboard !== undefined &&
        h("button", { onclick: copy }, t("copy")),
    ),
  );
  fill(place, block);
  block.focus();
}

/** One press acts, the next one undoes that. @param {Undoable} what */
export function undoableButton({ act, name, label, done, undone, title, then }) {
  /** @type {UndoableStep & { send: ProvenSend } | null} A repetition after a failure sends the same request. */
  let step = null;
  /** @type {Undoable["act"] | null} Null if it is not done. */
  let undo = null;
  const show = () => {
    const isDone = undo !== null;
    button.textContent = isDone ? t("undo") : name;
    button.setAttribute("aria-label", isDone ? t("undoThing", { title }) : label);
    button.closest("li")?.classList.toggle("done", isDone);
  };
  const press = async () => {
    step ??= { ...await (undo ?? act)(), send: repeatable() };
    const { method, path, body, send: sendAct, undo: undoOf } = step;
    const { data } = await sendAct(method, path, { body });
    step = null;
    undo = undoOf === undefined ? null : () => undoOf(data);
    announce(undo === null ? undone : done);
    announceChange(path);
    show();
    then?.(data);
  };
  let isWorking = false;
  const onclick = async () => {
    if (isWorking) return;
    isWorking = true;
    await withSession(press).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      announce(failureText(error.code));
      // The next press reads the record again.
      if (error.status === 409) step = null;
    }).finally(() => isWorking = false);
  };
  const button = h("button", { "aria-keyshortcuts": "x", onclick });
  show();
  return button;
}
