/** Writes that ask first, repeated requests, and secrets shown once. */

import {
  announce,
  announceChange,
  announceFailure,
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
  showDialog,
  signIn,
  t,
  thisVisit,
  visit,
  wait,
} from "./base.js";
import { ask, form } from "../fields/controls.js";
import { counted } from "../fields/shown.js";

/** @param {readonly Field[]} fields @returns {Record<string, string>} */
export function textsOf(fields) {
  return Object.fromEntries(fields.map(({ name, text }) => [name, text()]));
}

/** @param {readonly Field[]} fields @param {Texts} texts */
export function showTexts(fields, texts) {
  for (const { name, setText } of fields) setText(texts[name] ?? "");
}

/** Sends the requests of one form or button: repetitions share a key. @returns {ProvenSend} */
export function repeatable() {
  const seed = newKey();
  return (method, path, { body, proof }) =>
    send(method, path, { body, key: requestKey(seed, { method, path, body }), proof });
}

/**
 * Runs work. If the session has ended, the person signs in without losing text, and the work is
 * repeated with the same key.
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

/** True if there is a session. */
async function signInAgain() {
  const { email } = session().account;
  const isDone = await askPassword({
    title: t("passwordAgain"),
    text: [h("p", t("passwordAgainText"))],
    action: t("signIn"),
    takesCode: false,
    use: async (password, code) => {
      await signIn(email, password, code);
      return true;
    },
    offer: (answer, passkeys, place) => passkeys.offerSignIn(place, () => answer(true), email),
    refusal: refusalText,
  });
  return isDone === true;
}

/**
 * Null if the person cancels.
 * @template Result
 * @param {PasswordQuestion<Result>} question
 */
function askPassword({ title, text, action, takesCode, use, offer, refusal }) {
  /** @type {PromiseWithResolvers<Result | null>} */
  const { promise, resolve, reject } = Promise.withResolvers();
  const { email } = session().account;
  const password = h("input", { type: "password", id: "again", autocomplete: "current-password" });
  const code = h("input", { id: "again-code", autocomplete: "one-time-code" });
  const codeLabel = h("label", { for: "again-code" }, t("secondFactor"));
  const codeField = h("div.field", { hidden: !takesCode }, codeLabel, code);
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
      const meaning = error instanceof ApiError ? refusal(error) : null;
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
  // Stays empty if the browser has no passkeys, or is offline.
  const passkey = h("div");
  import("./passkeys.js").then((passkeys) => offer(answer, passkeys, passkey), () => {});
  const cancel = h("button", { onclick: close }, t("cancel"));
  const dialog = showDialog(
    { "aria-labelledby": "again-title", onclose: () => resolve(null) },
    h("h2", { id: "again-title" }, title),
    ...text,
    h(
      "form",
      { onsubmit: send },
      // For password managers.
      h("input", { type: "hidden", autocomplete: "username", value: email }),
      h("div.field", h("label", { for: "again" }, t("password")), password, refused),
      codeField,
      h("div.bar", button, cancel, passkey),
    ),
  );
  return promise;
}

/**
 * Runs an action after asking for the password or a passkey again: null if the person cancels. The
 * proof is stored nowhere. Its first success uses it up: repeating asks again, with the same key.
 * @template Result
 * @param {ProvenAct} act
 * @param {(proof: string) => Promise<Result>} work Sends one request with the proof.
 */
export function withProof(act, work) {
  return withSession(async () => {
    const proof = await askProof(act);
    return proof === null ? null : await work(proof);
  });
}

/** @type {(act: ProvenAct) => Promise<string | null>} */
function askProof({ purpose, what, thing, targetId }) {
  const { secondFactor } = session();
  return askPassword({
    title: what,
    text: [thing !== undefined && h("p.words", thing), h("p", t("proofText"))],
    action: t("confirm"),
    takesCode: secondFactor,
    use: async (password, code) => {
      const body = { password, ...secondFactorOf(code), purpose, targetId };
      return (await send("POST", "/api/v2/auth/step-up", { body })).data.proof;
    },
    offer: (answer, passkeys, place) => passkeys.offerProof(place, { purpose, targetId }, answer),
    refusal({ code }) {
      // The session has ended.
      if (code === "AUTH_REQUIRED") return null;
      if (code !== "STEP_UP_REQUIRED") return failureText(code);
      return t(secondFactor ? "proofRefused" : "passwordWrong");
    },
  });
}

const SAVE_TIMEOUT_MS = 2_000;

/** Saved before the page is left, or else the person is asked. @type {Set<WatchedForm>} */
const all = new Set();
/**
 * Open questions by act: a closed or rejected one reopens with its text, as the same act.
 * @type {Map<string, { texts: Texts, sendAct: ProvenSend }>}
 */
const questions = new Map();
let isAsking = false;

/** Watches a form until its page is left and it is saved. @param {WatchedForm} form */
export function watchForm(form) {
  all.add(form);
  const left = () => form.isUnsaved() || all.delete(form);
  thisVisit().addEventListener("abort", left, { once: true });
}

/** Returns a function that ends the watch: they are sent. @param {readonly Field[]} fields */
export function watchFields(fields) {
  const held = () => JSON.stringify(textsOf(fields));
  let sent = held();
  const isShown = () => fields.some(({ element }) => element.isConnected);
  watchForm({ isUnsaved: () => isShown() && held() !== sent });
  return () => {
    sent = held();
  };
}

const unsavedForms = () => [...all].filter(({ isUnsaved }) => isUnsaved());
const saveNow = () => unsavedForms().map(({ save }) => save?.());

/** Returns how many forms remain unsaved. */
export async function saveForms() {
  await Promise.race([Promise.allSettled(saveNow()), wait(SAVE_TIMEOUT_MS)]);
  return unsavedForms().length;
}

/** True if forms are saved, or the person discards them. */
export async function confirmLeave() {
  if (isAsking) return false;
  isAsking = true;
  try {
    const count = await saveForms();
    if (count === 0) return true;
    const [title, text] = [t("leaveQuestion"), counted(count, "unsavedForms")];
    const isDiscarded = await ask({ title, text, action: t("leave") }, async () => {});
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
 * Stops a navigation that would lose changes; repeats it if the person agrees. False if nothing is
 * unsaved, or the browser cannot stop it.
 * @param {NavigateEvent} event
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

/** Repeated presses act once. @param {Act} act */
export function actButton(act) {
  const sendAct = repeatable();
  const { body } = act;
  return button(act, () => post(act, typeof body === "function" ? body() : body, sendAct));
}

/**
 * @param {Act & Asked & { action?: string }} act `action` names the dialog's button.
 * @param {() => readonly Field[] | Promise<readonly Field[]>} makeFields
 * @param {(texts: Texts) => unknown} toBody
 */
export function askButton(act, makeFields, toBody) {
  const name = `${act.path} ${act.name}`;
  return button(act, async () => {
    const fields = await makeFields();
    const { texts, sendAct } = questions.get(name) ??
      { texts: textsOf(fields), sendAct: repeatable() };
    const over = watchFields(fields);
    showTexts(fields, texts);
    const keep = () => {
      over();
      questions.set(name, { texts: textsOf(fields), sendAct });
    };
    const work = () => post(act, toBody(textsOf(fields)), sendAct);
    const isDone = await ask({ action: act.name, ...act, fields }, work).finally(keep);
    if (isDone) questions.delete(name);
    return isDone;
  });
}

/** @param {Act} what @param {ProvenAct} proven */
export function proofButton(what, proven) {
  const sendAct = repeatable();
  const { path, body } = what;
  return button(what, async () => {
    const made = await withProof(proven, (proof) => sendAct("POST", path, { body, proof }));
    return made !== null;
  });
}

/** @param {Act} what @param {() => Promise<unknown>} work False if the person cancels. */
function button({ name, label, isGrave, isMain, page, done, then }, work) {
  const press = async () => {
    const here = thisVisit();
    const shown = page ?? location.pathname;
    try {
      if (await work() === false) return;
    } catch (error) {
      // After a conflict, the page is outdated.
      if (announceFailure(error).status === 409) await visit(shown, here);
      return;
    }
    announce(done);
    if (then !== undefined) return then();
    await visit(shown, here);
  };
  const look = isGrave ? "danger" : isMain && "main";
  return h("button", { class: look, "aria-label": label, onclick: oneAtATime(press) }, name);
}

/** Ignores further presses while one is at work. @param {() => Promise<unknown>} press */
function oneAtATime(press) {
  let isWorking = false;
  return async () => {
    if (isWorking) return;
    isWorking = true;
    await press().finally(() => isWorking = false);
  };
}

/** @param {Act} what @param {unknown} body @param {ProvenSend} sendAct */
async function post({ path, method = "POST" }, body, sendAct) {
  const result = await withSession(() => sendAct(method, path, { body }));
  announceChange(path);
  return result;
}

/**
 * A form of one line. The page is drawn again once it is sent.
 * @param {Field} field
 * @param {string} action
 * @param {() => Promise<unknown>} work
 */
export function lineForm(field, action, work) {
  const isSent = watchFields([field]);
  const element = form([field], action, async () => {
    const [here, page] = [thisVisit(), location.pathname];
    await withSession(work);
    isSent();
    announce(t("kept"));
    await visit(page, here);
  });
  element.classList.add("one-line");
  return element;
}

/** @param {NewCredential} credential `bodyOf` returns null after it has refused a field. */
export function credentialForm({ what, path, fields, before = [], bodyOf, shown }) {
  const place = h("div");
  const submit = async () => {
    const body = bodyOf();
    if (body === null) return;
    /** @type {ProvenAct} */
    const act = { purpose: "TOKEN_CREATE", what, thing: body.name };
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

/** Missing on insecure origins. @param {string} text @param {string} [look] */
export function copyButton(text, look) {
  const onclick = async () => {
    await navigator.clipboard.writeText(text);
    announce(t("copied"));
  };
  return navigator.clipboard !== undefined && h("button", { class: look, onclick }, t("copy"));
}

/** @param {HTMLElement} place @param {ShownOnce} shown */
export function showOnce(place, { text, secrets, stored, page }) {
  const block = h(
    "div.note",
    { tabindex: -1 },
    h("p", text),
    h("ul.lines.exact", { translate: "no" }, secrets.map((secret) => h("li", secret))),
    h(
      "div.bar",
      h("button.main", { onclick: () => visit(page) }, stored),
      copyButton(secrets.join("\n")),
    ),
  );
  fill(place, block);
  block.focus();
}

/** Every other press undoes the one before. @param {Undoable} undoable */
export function undoableButton({ act, name, label, done, undone, title, then }) {
  /** @type {UndoableStep & { send: ProvenSend } | null} Sent again after a failure. */
  let step = null;
  /** @type {Undoable["act"] | null} Null if it is not done. */
  let undo = null;
  const show = () => {
    const isDone = undo !== null;
    button.textContent = isDone ? t("undo") : name;
    button.setAttribute("aria-label", isDone ? `${t("undo")}: ${title}` : label);
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
  const onclick = () =>
    withSession(press).catch((error) => {
      // The next press reads the record again.
      if (announceFailure(error).status === 409) step = null;
    });
  const button = h("button", { "aria-keyshortcuts": "x", onclick: oneAtATime(onclick) });
  show();
  return button;
}
