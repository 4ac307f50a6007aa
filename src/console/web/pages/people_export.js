import { newKey, send } from "../core/api.js";
import { h } from "../core/dom.js";
import { withSession } from "../core/sign_in_again.js";
import { withProof } from "../core/step_up.js";
import { t } from "../core/text.js";
import { choiceField } from "../fields/choice.js";
import { partExport } from "./part_export.js";

const API = "/api/v2/relationship/exports";

/** @param {import("../core/session.js").Session} session */
export function peopleExport(session) {
  const version = choiceField({ name: "version", label: t("peopleAs"), required: true }, [
    { value: "3.0", label: "3.0" },
    { value: "4.0", label: "4.0" },
  ]);
  version.setText("3.0");
  const secret = h("input", { type: "checkbox" });
  const maySee = session.permissions.includes("relationship.ledger.secret");
  const before = maySee ? [h("label", { class: "choice" }, secret, t("secretDetails"))] : [];

  const begin = () => {
    const isSecret = secret.checked;
    const chosen = {
      format: "VCARD",
      version: version.text(),
      ...(isSecret && { includeSecret: true }),
    };
    return async (/** @type {string | null} */ cursor) => {
      const body = { ...chosen, ...(cursor !== null && { cursor }) };
      // A replay has no content.
      const ask = (/** @type {string} */ proof) =>
        send("POST", API, { body, key: newKey(), ...(proof !== "" && { proof }) });
      // The proof also covers the later parts.
      const made = cursor === null
        ? await withProof(
          session,
          { purpose: "RELATIONSHIP_EXPORT", what: t("exportPeople"), thing: t("allPeople") },
          ask,
        )
        : await withSession(session.account.email, () => ask(""));
      return made && made.data;
    };
  };
  return partExport(t("exportPeople"), [version], begin, before);
}
