/** A new assistant: its token is shown once, on this page alone. */

import { ApiError, send } from "../core/api.js";
import { readCatalog } from "../core/catalog.js";
import { fill, h } from "../core/dom.js";
import { withProof } from "../core/step_up.js";
import { t } from "../core/text.js";
import { visit } from "../core/visit.js";
import { choiceField } from "../fields/choice.js";
import { form } from "../fields/form.js";
import { severalField } from "../fields/several.js";
import { shownOnce } from "../fields/shown_once.js";
import { lineField } from "../fields/text.js";
import { label } from "../logic/labels.js";
import { assistantsOff } from "./assistants.js";

const DAY_MS = 86_400_000;
/** Below the 90 days that the service allows by its own clock. */
const DAYS = ["7", "30", "89"];

/** @type {import("../pages.js").Page} */
export default async function assistantForm({ session }) {
  try {
    await send("GET", "/api/v2/auth/assistants?limit=1");
  } catch (error) {
    if (error instanceof ApiError && error.code === "HTTP_404") return assistantsOff();
    throw error;
  }
  const name = lineField({
    name: "name",
    label: t("assistantName"),
    hint: t("assistantNameHint"),
    required: true,
  });
  const modules = severalField(
    { name: "modules", label: t("lentModules"), required: true },
    (await readCatalog()).map(({ code }) => ({ value: code, label: label(code) })),
  );
  const proposes = choiceField({ name: "mayPropose", label: t("mayPropose"), required: true }, [
    { value: "false", label: t("assistantReads") },
    { value: "true", label: t("assistantProposes") },
  ]);
  const sensitive = choiceField(
    { name: "sensitiveFields", label: t("sensitiveFields"), required: true },
    [
      { value: "HIDDEN", label: t("sensitiveHidden") },
      { value: "SHOWN", label: t("sensitiveShown") },
    ],
  );
  const days = choiceField(
    { name: "until", label: t("assistantLifetime"), required: true },
    DAYS.map((value) => ({ value, label: t("assistantDays", { count: value }) })),
  );
  proposes.setText("false");
  sensitive.setText("HIDDEN");
  days.setText("30");

  const place = h("div", {});
  const submit = async () => {
    if (modules.text() === "") return modules.refuse(t("chooseModule"));
    const body = {
      name: name.text(),
      modules: JSON.parse(modules.text()),
      mayPropose: proposes.text() === "true",
      sensitive: sensitive.text(),
      until: new Date(Date.now() + Number(days.text()) * DAY_MS).toISOString(),
    };
    const act = /** @type {const} */ ({ purpose: "TOKEN_CREATE", what: t("newAssistant") });
    const made = await withProof(
      session,
      { ...act, thing: body.name },
      (proof) => send("POST", "/api/v2/auth/assistants", { body, proof }),
    );
    if (made === null) return;
    const secret = shownOnce({
      text: t("assistantOnce", { name: made.data.name, address: `${location.origin}/mcp` }),
      secrets: [made.data.token],
      stored: t("assistantStored"),
      done: () => visit("/console/assistants"),
    });
    fill(place, secret);
    secret.focus();
  };
  fill(place, form([name, modules, proposes, sensitive, days], t("newAssistant"), submit));
  return { title: t("newAssistant"), body: [place] };
}
