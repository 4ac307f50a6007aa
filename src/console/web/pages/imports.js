/** Imports: a file to choose, and those that came before; files of this service. */

import { repeatable, withSession } from "../core/acts.js";
import { announce, ApiError, fill, h, t, textOf, thisVisit, timeTag, visit } from "../core/base.js";
import { notFound } from "../core/names.js";
import { choiceField, choicesOf, form, line, lineField } from "../fields/controls.js";
import { pickedFile, upload } from "../fields/file.js";
import { sizeText } from "../fields/shown.js";
import { listPage } from "./parts.js";

/** Imports the file that an export of the profile, or of tags and categories, has written. */

/** @returns {Readonly<Record<string, OwnFile>>} */
export const kinds = () => ({
  tags: {
    title: t("importTags"),
    api: "/api/v2/taxonomy/imports",
    members: ["format", "version", "terms"],
    modes: choicesOf({ SKIP: t("skipPresent"), REJECT: t("rejectPresent") }),
    page: "/console/tags",
    said: ({ created, skipped }) => t("importedTags", { created, skipped }),
  },
  profile: {
    title: t("importProfile"),
    api: "/api/v2/identity/imports",
    members: ["version", "profile", "stages", "roles", "snapshots"],
    modes: choicesOf({ CREATE_SNAPSHOT: t("snapshotPresent"), REJECT: t("rejectPresent") }),
    page: "/console/profile",
    said: ({ created, skipped }) =>
      t("importedProfile", { ...created, skipped: skipped.stages + skipped.roles }),
  },
});

/** @type {SyncPage} */
export function ownFile({ params }) {
  const kind = kinds()[params.kind ?? ""];
  if (kind === undefined) return notFound();
  const { file, input } = pickedFile(t("importFile"), t("sendingFile"), ".json");
  const mode = choiceField(
    { name: "conflictMode", label: t("ifPresent"), required: true },
    kind.modes,
  );
  mode.setText(kind.modes[0]?.value ?? "");
  const done = h("div");
  const send = repeatable();
  const submit = async () => {
    const chosen = input.files?.[0];
    if (chosen === undefined) return;
    const read = readObject(await chosen.text());
    if (read === null) throw new ApiError("PAYLOAD_INVALID", { details: { fields: ["file"] } });
    const members = kind.members.filter((name) => Object.hasOwn(read, name));
    const body = {
      ...Object.fromEntries(members.map((name) => [name, read[name]])),
      conflictMode: mode.text(),
    };
    const post = () => send("POST", kind.api, { body });
    const { data } = await withSession(post);
    const said = kind.said(data);
    announce(said);
    fill(done, h("p.note", said, " ", h("a", { href: kind.page }, t("show"))));
  };
  return {
    title: kind.title,
    body: [
      h("p", t("importOwnText")),
      form([file, mode], t("importNow"), submit),
      done,
      h("p", h("a", { href: "/console/imports" }, t("imports"))),
    ],
  };
}

/** Null unless the text is one JSON object. @param {string} text */
function readObject(text) {
  try {
    const read = JSON.parse(text);
    return typeof read === "object" && !Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}

/** @param {string} state */
export function stateText(state) {
  return textOf(`import.${state}`, state);
}

const API = "/api/v2/imports";

const PAGE = "/console/imports";

const LIST_FORMATS =
  /** @type {const} */ (["day-one", "markdown", "csv", "vcard", "monica-4", "prs-items"]);

/** @type {Page} */
export function importsPage({ query }) {
  return listPage(query, {
    title: t("imports"),
    page: PAGE,
    api: API,
    none: t("noImports"),
    isLong: true,
    above: () => chooser(),
    line: (item) =>
      line(
        h("a", { href: `${PAGE}/${item.importId}` }, item.name ?? textOf(item.format)),
        [timeTag(item.createdAt), textOf(item.format), sizeText(item.size), stateText(item.state)],
      ),
  });
}

function chooser() {
  const choices = LIST_FORMATS.map((value) => ({ value, label: textOf(value) }));
  const format = choiceField({ name: "format", label: t("importedFrom"), required: true }, choices);
  const name = lineField({ name: "name", label: t("sourceName"), hint: t("sourceNameHint") });
  const { file, input, progress } = pickedFile(t("importFile"), t("sendingFile"));
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
      const { importId } = await withSession(send);
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
