import { credentialForm, timeAfter } from "../../core/acts/line_forms.js";
import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { hasAssistants } from "../../core/base/session.js";
import { label, labelled, readCatalog } from "../../core/names.js";
import { choiceField, chosenField } from "../../fields/controls/choices.js";
import { severalField } from "../../fields/controls/forms.js";
import { linesField } from "../../fields/controls/lines.js";
import { counted } from "../../fields/shown/figures.js";
import { timeText } from "../../fields/shown/times.js";
import { listPage } from "../parts/lists.js";
import {
  cannotReach,
  programChoices,
  programName,
  setUpButton,
  setUpParts,
} from "./assistant_programs.js";
import { ASSISTANTS, credentialRow, endButton, usedText } from "./sessions.js";
import { nameField } from "./tokens.js";

/** @type {Page} */
export function assistants({ query }) {
  return unlessOff(() =>
    listPage(query, {
      ...ASSISTANTS,
      title: t("assistants"),
      beside: links(),
      above: () => h("p", t("assistantsText")),
      line: ({ assistantId, name, modules, mayPropose, sensitive, until, lastUsedAt, signIn }) =>
        credentialRow("spoke", h("span.words", name), [
          ...signInFacts(signIn),
          t(mayPropose ? "assistantProposes" : "assistantReads"),
          modules.map(label).join(", "),
          sensitive === "SHOWN" && `${t("sensitiveFields")}: ${t("sensitiveShown")}`,
          usedText(lastUsedAt),
          t("assistantRuns", { time: timeText(until) }),
        ], {
          of: name,
          items: [
            ...(signIn === undefined ? [] : [setUpButton(name, signIn)]),
            endButton(ASSISTANTS, `${assistantId}/revoke`, t("endToken", { name })),
          ],
        }),
    })
  );
}

/** @param {AssistantSignIn} [signIn] Undefined with a pasted token. @returns {readonly Child[]} */
function signInFacts(signIn) {
  if (signIn === undefined) return [];
  const { program, signIns, boundTo } = signIn;
  return [
    programName(program),
    signIns === 0 ? t("noSignIns") : counted(signIns, "signIns"),
    boundTo !== null && t("boundTo", { callback: boundTo }),
  ];
}

function links() {
  return [
    link(`${ASSISTANTS.page}/new`, t("newAssistant"), "main"),
    link("/console/proposals", t("proposals")),
  ];
}

/**
 * Replaces all pages of assistants by a notice if assistants are off.
 * @param {() => Promise<Content>} page
 */
export async function unlessOff(page) {
  if (hasAssistants()) return await page();
  const bar = h("div.bar", links());
  return { title: t("assistants"), body: [bar, h("p", t("assistantsOff"))] };
}

/** Below the service's limit of 90 days by its own clock. */
const ASSISTANT_DAYS = ["7", "30", "89"];

/** @type {Page} */
export function assistantForm() {
  return unlessOff(async () => newAssistant(await readCatalog()));
}

/** @param {readonly CatalogModule[]} catalog */
function newAssistant(catalog) {
  const name = nameField(t("assistantNameHint"));
  const { program, callbacks, signIn } = programFields();
  const modules = severalField(
    { name: "modules", label: t("lentModules"), required: true },
    labelled(catalog.map(({ code }) => code)),
  );
  const proposes = chosenField("mayPropose", t("proposals"), {
    false: t("assistantReads"),
    true: t("assistantProposes"),
  });
  const sensitive = chosenField("sensitiveFields", t("sensitiveFields"), {
    HIDDEN: t("sensitiveHidden"),
    SHOWN: t("sensitiveShown"),
  });
  const days = choiceField(
    { name: "until", label: t("assistantLifetime"), required: true, initial: "30" },
    labelled(ASSISTANT_DAYS, (count) => t("days", { count })),
  );

  return credentialForm({
    what: t("newAssistant"),
    path: ASSISTANTS.api,
    fields: [name, program, callbacks, modules, proposes, sensitive, days],
    bodyOf: () => ({
      name: name.text(),
      modules: JSON.parse(modules.text()),
      mayPropose: proposes.text() === "true",
      sensitive: sensitive.text(),
      until: timeAfter(days.text()),
      ...signIn(),
    }),
    shown: ({ name, token, signIn }) =>
      signIn === undefined
        ? {
          text: t("assistantOnce", { name, address: `${location.origin}/mcp` }),
          secrets: [token],
          stored: t("assistantStored"),
          page: ASSISTANTS.page,
        }
        : {
          text: t("assistantReady", { name }),
          parts: setUpParts(signIn),
          stored: t("assistantEntered"),
          page: ASSISTANTS.page,
        },
  });
}

/** The program, its callbacks if it is another one, and the member of the body. */
function programFields() {
  const row = { name: "program", label: t("assistantProgram"), required: true };
  const program = choiceField({ ...row, hint: t("assistantProgramHint") }, programChoices());
  const callbacks = linesField({
    name: "callbacks",
    label: t("callbacks"),
    hint: t("callbacksHint"),
    required: true,
    exact: true,
  });
  const isOther = () => program.text() === "OTHER";
  const warning = h("p.hint", { role: "status" });
  const show = () => {
    callbacks.element.hidden = !isOther();
    const isFar = cannotReach(program.text());
    warning.textContent = isFar ? t("cloudsNeed", { origin: location.origin }) : "";
  };
  program.element.append(warning);
  program.element.addEventListener("input", show);
  show();
  const signIn = () => {
    const chosen = program.text();
    if (chosen === "TOKEN") return {};
    const typed = callbacks.text().split("\n").map((line) => line.trim()).filter(Boolean);
    return { signIn: { program: chosen, ...(isOther() && { callbacks: typed }) } };
  };
  const problem = () => isOther() ? callbacks.problem() : "";
  return { program, callbacks: { ...callbacks, problem }, signIn };
}
