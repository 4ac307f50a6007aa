import { newKey, send } from "../core/api.js";
import { h } from "../core/dom.js";
import { withSession } from "../core/sign_in_again.js";
import { withProof } from "../core/step_up.js";
import { t } from "../core/text.js";
import { choiceField } from "../fields/choice.js";
import { partExport } from "./part_export.js";

const API = "/api/v2/memory/exports";

/** @param {import("../core/session.js").Session} session */
export function memoryExport(session) {
  const format = choiceField({ name: "format", label: t("memoriesAs"), required: true }, [
    { value: "MARKDOWN", label: "Markdown" },
    { value: "JSON", label: "JSON" },
  ]);
  format.setText("MARKDOWN");
  const secret = h("input", { type: "checkbox" });
  const maySee = session.permissions.includes("memory.secret");
  const before = maySee ? [h("label", { class: "choice" }, secret, t("secretMemories"))] : [];

  const begin = () => {
    const isSecret = secret.checked;
    const chosen = { format: format.text(), ...(maySee && { includeSecret: isSecret }) };
    return async (/** @type {string | null} */ cursor) => {
      const body = { ...chosen, ...(cursor !== null && { cursor }) };
      // A repetition with the same key would have no content.
      const ask = (/** @type {string} */ proof) =>
        send("POST", API, { body, key: newKey(), ...(proof !== "" && { proof }) });
      // The first part's proof covers the others.
      const made = isSecret && cursor === null
        ? await withProof(
          session,
          {
            purpose: "MEMORY_SECRET_EXPORT",
            what: t("exportMemories"),
            thing: t("secretMemories"),
          },
          ask,
        )
        : await withSession(session.account.email, () => ask(""));
      return made && made.data;
    };
  };
  return partExport(t("exportMemories"), [format], begin, before);
}
