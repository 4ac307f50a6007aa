/** The page on which a person allows or denies the sign-in of an assistant's program. */

import { oneAtATime } from "../../core/acts/buttons.js";
import { withProof, withSession } from "../../core/acts/password.js";
import { announceFailure, ApiError, hasCode } from "../../core/base/api.js";
import { announce, byId, fill, h } from "../../core/base/elements.js";
import { drawing } from "../../core/base/icons.js";
import { loadFailures, t, textOf } from "../../core/base/language.js";
import { send } from "../../core/base/sender.js";
import { session } from "../../core/base/session.js";
import { thisVisit } from "../../core/base/visits.js";
import { label } from "../../core/names.js";
import { choiceField } from "../../fields/controls/choices.js";
import { timeText } from "../../fields/shown/times.js";
import { unlessOff } from "./assistants.js";
import { ASSISTANTS } from "./sessions.js";

const API = "/api/v2/auth/authorization";

/** As long as a double click takes. */
const DOUBLE_CLICK_MS = 500;

/** @type {Page} */
export function authorization() {
  return unlessOff(async () => {
    await loadFailures();
    const request = location.search.slice(1);
    try {
      const { data } = await send("POST", `${API}/read`, { body: { request } });
      return data.refusal === null ? question(data, request) : refused(data.refusal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "PAYLOAD_INVALID") throw error;
      return invalid(error.details.rules?.[0] ?? "");
    }
  });
}

/** @param {string} title @param {...Child} body */
function page(title, ...body) {
  return { title, heading: [drawing("door"), title], body };
}

/** Nothing is sent to an invalid client or callback. @param {string} rule */
function invalid(rule) {
  const text = h("p", textOf(rule, t("authorization.request")));
  return page(t("cannotAllow"), text, h("p.bar", besideLink(ASSISTANTS.page, t("assistants"))));
}

/** @param {{ error: string, redirectTo: string }} refusal */
function refused({ error, redirectTo }) {
  const text = h("p", textOf(`refusal.${error}`, t("refusal.invalid_request")));
  return page(t("cannotAllow"), text, h("p.bar", backButton(redirectTo)));
}

/**
 * Opens a new tab: this one has the request in its address.
 * @param {string} href @param {string} text
 */
function besideLink(href, text) {
  return h("a.main", { href, target: "_blank" }, text);
}

/** @param {string} redirectTo As the service gave it. */
function backButton(redirectTo) {
  return h("button.main", { onclick: () => location.replace(redirectTo) }, t("backToProgram"));
}

/** @param {AskedSignIn} asked @param {string} request */
function question({ callback, onThisDevice, assistants, proofRequired }, request) {
  const deny = decisionButton(t("deny"), () => decide({ request, decision: "DENY" }));
  const [first, ...others] = assistants;
  if (first === undefined) {
    const create = besideLink(`${ASSISTANTS.page}/new`, t("newAssistant"));
    const again = h("button", { onclick: () => location.reload() }, t("again"));
    return page(t("cannotAllow"), h("p", t("noAssistantFits")), h("p.bar", create, again, deny));
  }
  const choice = assistantChoice(first, others);
  const chosen = () => assistants.find(({ assistantId }) => assistantId === choice.text());
  const facts = h("dl.values");
  const place = onThisDevice ? t("onThisDevice") : hostOf(callback);
  const show = () => fill(facts, factsOf(place, chosen()));
  choice.element.addEventListener("change", show);
  show();

  const isHasty = hasteTest();
  const allow = decisionButton(t("allow"), async () => {
    if (isHasty()) {
      announce(t("pressAgain"));
      return null;
    }
    choice.refuse(choice.problem());
    const assistant = chosen();
    if (assistant !== undefined) return await allowSignIn(request, assistant, proofRequired);
    choice.focus();
    return null;
  });
  allow.className = "main";
  return page(
    others.length === 0 ? t("allowSignIn", { name: first.name }) : t("allowSignInOf"),
    h(
      "div.card",
      choice.element,
      facts,
      h("p", h("strong", t("allowWarning"))),
      h("div.bar", allow, deny),
    ),
  );
}

/**
 * A field for the choice of an assistant, hidden if there is only one. None of several is preset.
 * @param {LentAssistant} first @param {readonly LentAssistant[]} others
 */
function assistantChoice(first, others) {
  const isOnly = others.length === 0;
  const row = { name: "assistantId", label: t("assistants"), required: true };
  const field = choiceField(
    isOnly ? { ...row, initial: first.assistantId } : row,
    [first, ...others].map(({ assistantId, name }) => ({ value: assistantId, label: name })),
  );
  field.element.hidden = isOnly;
  return field;
}

/** @param {string} place @param {LentAssistant} [assistant] */
function factsOf(place, assistant) {
  const facts = {
    ...(assistant && {
      lentModules: assistant.modules.map(label).join(", "),
      proposals: t(assistant.mayPropose ? "assistantProposes" : "assistantReads"),
      sensitiveFields: t(assistant.sensitive === "SHOWN" ? "sensitiveShown" : "sensitiveHidden"),
      signInEnds: timeText(assistant.until),
    }),
    answerTo: place,
    account: session().account.email,
  };
  return Object.entries(facts).flatMap(([name, text]) => [
    h("dt", t(/** @type {Sentence} */ (name))),
    h("dd", text),
  ]);
}

/** The host of an address, with its scheme unless that is `https`. @param {string} callback */
export function hostOf(callback) {
  return /^(?:https:\/\/)?((?:[a-z]+:\/\/)?[^/?]+)/.exec(callback)?.[1] ?? callback;
}

/**
 * Null if the person cancels.
 * @param {string} request @param {LentAssistant} assistant @param {boolean} proofRequired
 */
async function allowSignIn(request, { assistantId, name }, proofRequired) {
  const body = { request, decision: "ALLOW", assistantId };
  const work = (/** @type {string | undefined} */ proof) => decide(body, proof);
  const what = t("allowSignIn", { name });
  const prove = () => withProof({ purpose: "ASSISTANT_ALLOW", what, targetId: assistantId }, work);
  if (proofRequired) return await prove();
  return await withSession(() => work(undefined)).catch((error) => {
    // The first five minutes of the session are over.
    if (hasCode(error, "STEP_UP_REQUIRED")) return prove();
    throw error;
  });
}

/**
 * @param {{ request: string, decision: string, assistantId?: string }} body
 * @param {string} [proof]
 */
function decide(body, proof) {
  return send("POST", `${API}/decide`, { body, proof });
}

/** @param {string} name @param {() => Promise<Answer | null>} work */
function decisionButton(name, work) {
  const press = async () => {
    try {
      const answer = await work();
      if (answer !== null) leave(answer.data.redirectTo);
    } catch (error) {
      announceFailure(error);
    }
  };
  return h("button", { onclick: oneAtATime(press) }, name);
}

/** The page stays if the address opens a program of the device. @param {string} redirectTo */
function leave(redirectTo) {
  location.replace(redirectTo);
  const heading = h("h1", { tabindex: -1 }, drawing("door"), t("answered"));
  fill(byId("main"), heading, h("p", t("answeredText")), h("p.bar", backButton(redirectTo)));
  heading.focus();
}

/**
 * Returns a test of whether a press may belong to a double click that began before the page was
 * shown, or in another window.
 */
function hasteTest() {
  let shownAt = performance.now();
  addEventListener("focus", () => shownAt = performance.now(), { signal: thisVisit() });
  return () => performance.now() - shownAt < DOUBLE_CLICK_MS;
}
