/** Imports from other products: a file to choose, and those that came before. */

import { h, t, thisVisit, timeText, visit } from "../../core/base.js";
import { sizeText } from "../../fields/shown.js";
import { withSession } from "../../core/acts.js";
import { upload } from "../../core/upload.js";
import { choiceField, form, line, lineField } from "../../fields/controls.js";
import { pickedFile } from "../../fields/picked_file.js";
import { listPage } from "../list_page.js";
import { formatText, stateText } from "./words.js";

const API = "/api/v2/imports";
const PAGE = "/console/imports";
const FORMATS =
  /** @type {const} */ (["day-one", "markdown", "csv", "vcard", "monica-4", "prs-items"]);

/** @type {Page} */
export default function imports({ query, session }) {
  return listPage(query, {
    title: t("imports"),
    page: PAGE,
    api: API,
    none: t("noImports"),
    isLong: true,
    above: () => chooser(session),
    line: (item) =>
      line(
        h("a", { href: `${PAGE}/${item.importId}` }, item.name ?? formatText(item.format)),
        [
          h("time", { datetime: item.createdAt }, timeText(item.createdAt)),
          formatText(item.format),
          sizeText(item.size),
          stateText(item.state),
        ],
      ),
  });
}

/** @param {Session} session */
function chooser(session) {
  const choices = FORMATS.map((value) => ({ value, label: formatText(value) }));
  const format = choiceField({ name: "format", label: t("importedFrom"), required: true }, choices);
  const name = lineField({ name: "name", label: t("sourceName"), hint: t("sourceNameHint") });
  const { file, input, progress } = pickedFile(t("fileToImport"), t("sendingFile"));
  const keep = h("input", { type: "checkbox", checked: true });
  const keepRow = h("label.choice", keep, t("keepOriginal"));
  const submit = async () => {
    const chosen = input.files?.[0];
    if (chosen === undefined) return;
    const here = thisVisit();
    const parameters = new URLSearchParams({
      format: format.text(),
      name: name.text().trim() || chosen.name.slice(0, 100),
      keepOriginal: String(keep.checked),
    });
    progress.hidden = false;
    try {
      const headers = { "Content-Type": "application/octet-stream" };
      const send = () =>
        upload(`${API}?${parameters}`, chosen, headers, (part) => progress.value = part);
      const { importId } = await withSession(session.account.email, send);
      await visit(`${PAGE}/${importId}`, here);
    } finally {
      progress.hidden = true;
    }
  };
  return h(
    "div",
    h("p", t("importsText")),
    form([format, file, name], t("lookAtFile"), submit, { before: [keepRow] }),
    h("h2", t("ownFiles")),
    h(
      "p.bar",
      h("a", { href: `${PAGE}/own/profile` }, t("importProfile")),
      h("a", { href: `${PAGE}/own/tags` }, t("importTags")),
      h("a", { href: "/console/export" }, t("exportsAndBackups")),
    ),
    h("h2", t("earlierImports")),
  );
}
