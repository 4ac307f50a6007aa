/** Programs that sign in as an assistant, and their settings. */

import { copyButton } from "../../core/acts/line_forms.js";
import { h, showDialog } from "../../core/base/elements.js";
import { t, textOf } from "../../core/base/language.js";
import { newId } from "../../fields/controls/rows.js";

/** @type {Texts} */
const NAMES = {
  CLAUDE: "Claude",
  CLAUDE_CODE: "Claude Code",
  CHATGPT: "ChatGPT",
  VSCODE: "VS Code",
  CURSOR: "Cursor",
};

/** Choices of a form: programs that sign in, and then the token. @returns {Choices} */
export function programChoices() {
  const named = Object.entries(NAMES).map(([value, label]) => ({ value, label }));
  const others = [
    { value: "OTHER", label: t("otherProgram") },
    { value: "TOKEN", label: t("pastedToken") },
  ];
  return [...named, ...others];
}

/** @param {string} program */
export function programName(program) {
  return NAMES[program] ?? t("otherProgram");
}

/** These programs connect from a data centre, not from the device. */
const CLOUDS = ["CLAUDE", "CHATGPT"];

/** Last labels of names that only a home or an office knows. */
const PRIVATE = ["arpa", "home", "internal", "lan", "local", "localhost", "test"];

/** @param {Pick<Location, "protocol" | "hostname" | "port">} origin */
export function isPublic({ protocol, hostname, port }) {
  const [, last = ""] = /\.([a-z][a-z0-9-]*)$/.exec(hostname) ?? [];
  return protocol === "https:" && port === "" && last !== "" && !PRIVATE.includes(last);
}

/** True if a program cannot reach this service. @param {string} program */
export function cannotReach(program) {
  return CLOUDS.includes(program) && !isPublic(location);
}

/**
 * Everything that a person enters in the program.
 * @param {AssistantSignIn} signIn @returns {readonly Child[]}
 */
export function setUpParts({ program, clientId }) {
  const address = `${location.origin}/mcp`;
  const exact = exactText(program, address, clientId);
  return [
    cannotReach(program) && h("p", t("cloudsNeed", { origin: location.origin })),
    h("p", textOf(`setUp.${program}`)),
    ...(exact === "" ? [typedValues(address, clientId)] : [
      h("pre.exact", { translate: "no" }, exact),
      h("p", copyButton(exact)),
    ]),
  ];
}

/** @param {string} address @param {string} clientId */
function typedValues(address, clientId) {
  return h(
    "dl.values",
    valueOf(t("assistantAddress"), address),
    valueOf(t("clientId"), clientId),
    [h("dt", t("clientSecret")), h("dd", t("noClientSecret"))],
  );
}

/** @param {string} name @param {string} text */
function valueOf(name, text) {
  const exact = h("span.exact", { translate: "no" }, text);
  return [h("dt", name), h("dd", exact, " ", copyButton(text))];
}

/**
 * A command or settings; empty for none.
 * @param {string} program @param {string} url @param {string} clientId
 */
function exactText(program, url, clientId) {
  switch (program) {
    case "CLAUDE_CODE":
      return `claude mcp add --transport http --client-id ${clientId} records ${url}`;
    case "VSCODE":
      return settings("servers", { type: "http", url, oauth: { clientId } });
    case "CURSOR":
      return settings("mcpServers", { url, auth: { CLIENT_ID: clientId } });
    default:
      return "";
  }
}

/** @param {string} group @param {object} records */
function settings(group, records) {
  return JSON.stringify({ [group]: { records } }, null, 2);
}

/** Shows again what to enter. @param {string} name @param {AssistantSignIn} signIn */
export function setUpButton(name, signIn) {
  const title = t("connectAssistant", { name });
  const open = () => {
    const id = newId();
    const close = h("button", { onclick: () => dialog.close() }, t("close"));
    const dialog = showDialog(
      { "aria-labelledby": id },
      h("h2", { id }, title),
      ...setUpParts(signIn),
      h("div.bar", close),
    );
  };
  return h("button", { onclick: open }, title);
}
