/** The memories alone, part by part. */

import { newKey, send } from "../core/api.js";
import { fill, h } from "../core/dom.js";
import { withSession } from "../core/sign_in_again.js";
import { withProof } from "../core/step_up.js";
import { t } from "../core/text.js";
import { choiceField } from "../fields/choice.js";
import { form } from "../fields/form.js";
import { checkedFile } from "../fields/saved_file.js";

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
  const parts = h("ol", { class: "lines", hidden: true });
  const state = h("div", {});

  const submit = async () => {
    fill(parts);
    fill(state);
    parts.hidden = true;
    const body = { format: format.text(), ...(maySee && { includeSecret: secret.checked }) };
    // A repetition under the same key would have no content.
    const ask = (/** @type {string} */ proof) =>
      send("POST", API, { body, key: newKey(), ...(proof !== "" && { proof }) });
    const made = secret.checked
      ? await withProof(
        session,
        { purpose: "MEMORY_SECRET_EXPORT", what: t("exportMemories"), thing: t("secretMemories") },
        ask,
      )
      : await withSession(session.account.email, () => ask(""));
    if (made !== null) await take(made.data, body);
  };
  const take = async (/** @type {any} */ part, /** @type {object} */ body) => {
    const { filename, mediaType, content, count, nextCursor } = part;
    const number = parts.children.length + 1;
    if (count === 0 && nextCursor === null) {
      return fill(state, h("p", {}, t(number === 1 ? "noneYet" : "lastPart")));
    }
    const name = number === 1 ? filename : filename.replace(/\.\w+$/, `-${number}$&`);
    const blob = new Blob([content], { type: mediaType });
    parts.hidden = false;
    parts.append(
      h(
        "li",
        {},
        h("p", {}, t("part", { number, count })),
        await checkedFile(blob, { ...part, filename: name }),
      ),
    );
    if (nextCursor === null) return fill(state, h("p", {}, t("lastPart")));
    const more = form([], t("nextPart"), async () => {
      const next = await withSession(
        session.account.email,
        () => send("POST", API, { body: { ...body, cursor: nextCursor }, key: newKey() }),
      );
      await take(next.data, body);
    });
    fill(state, more);
  };
  const element = form([format], t("exportMemories"), submit, { before });
  return h("div", {}, element, parts, state);
}
