/** A new assistant: its token is shown once, on this page alone. */

import { ApiError, send, t, visit } from "../core/base.js";
import { label, readCatalog } from "../core/names.js";
import { choiceField, lineField } from "../fields/controls.js";
import { severalField } from "../fields/several.js";
import { credentialForm, timeAfter } from "../fields/shown_once.js";
import { assistantsOff } from "./assistants.js";

/** Below the 90 days that the service allows by its own clock. */
const DAYS = ["7", "30", "89"];

/** @type {Page} */
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

  const bodyOf = () => {
    if (modules.text() === "") {
      modules.refuse(t("chooseModule"));
      return null;
    }
    return {
      name: name.text(),
      modules: JSON.parse(modules.text()),
      mayPropose: proposes.text() === "true",
      sensitive: sensitive.text(),
      until: timeAfter(days.text()),
    };
  };
  return credentialForm(session, {
    what: t("newAssistant"),
    path: "/api/v2/auth/assistants",
    fields: [name, modules, proposes, sensitive, days],
    bodyOf,
    shown: ({ name, token }) => ({
      text: t("assistantOnce", { name, address: `${location.origin}/mcp` }),
      secrets: [token],
      stored: t("assistantStored"),
      done: () => visit("/console/assistants"),
    }),
  });
}
