/** Imports the file that an export of the profile, or of tags and categories, has written. */

import { announce, ApiError, fill, h, t } from "../../core/base.js";
import { repeatable, withSession } from "../../core/acts.js";
import { choiceField, form } from "../../fields/controls.js";
import { pickedFile } from "../../fields/picked_file.js";
import { notFound } from "../../core/names.js";

/** @returns {Readonly<Record<string, OwnFile>>} */
const kinds = () => ({
  tags: {
    title: t("importTags"),
    api: "/api/v2/taxonomy/imports",
    members: ["format", "version", "terms"],
    modes: [
      { value: "SKIP", label: t("skipPresent") },
      { value: "REJECT", label: t("rejectPresent") },
    ],
    page: "/console/tags",
    said: ({ created, skipped }) => t("importedTags", { created, skipped }),
  },
  profile: {
    title: t("importProfile"),
    api: "/api/v2/identity/imports",
    members: ["version", "profile", "stages", "roles", "snapshots"],
    modes: [
      { value: "CREATE_SNAPSHOT", label: t("snapshotPresent") },
      { value: "REJECT", label: t("rejectPresent") },
    ],
    page: "/console/profile",
    said: ({ created, skipped }) =>
      t("importedProfile", { ...created, skipped: skipped.stages + skipped.roles }),
  },
});

/** @type {SyncPage} */
export default function ownFile({ params, session }) {
  const kind = kinds()[params.kind ?? ""];
  if (kind === undefined) return notFound();
  const { file, input } = pickedFile(t("fileToImport"), t("sendingFile"), ".json");
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
    const { data } = await withSession(session.account.email, post);
    const said = kind.said(data);
    announce(said);
    fill(done, h("p.note", said, " ", h("a", { href: kind.page }, t("seeImported"))));
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
