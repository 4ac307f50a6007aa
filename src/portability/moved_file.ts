/** The file of a moving account: an owner's JSON Lines, with the account and its ledgers. */

import { assertMovable } from "../accounts/moving.ts";
import { canonicalJson } from "../validate/canonical.ts";
import type { AccountExportFormat } from "./export_format.ts";
import { type FileForm, manifestLine, writeForm } from "./json_lines.ts";
import { LINE_TYPES } from "./line_types.ts";
import { ATTACHMENT_LINES, THUMBNAIL_LINES } from "./lines/attachments.ts";
import { ACCOUNT, AUDIT_ENTRIES, ENVELOPES } from "./lines/moved.ts";

/** The account comes before the rows that refer to it. */
export const MOVED_FILE: FileForm = {
  headLine: canonicalJson({ format: "prs-moved-account", version: 1 }),
  types: [
    ACCOUNT,
    ...LINE_TYPES.filter((type) => type !== ATTACHMENT_LINES),
    AUDIT_ENTRIES,
    ENVELOPES,
    THUMBNAIL_LINES,
    ATTACHMENT_LINES,
  ],
};

/** Rejects an account that is not frozen, by the rows that it reads. */
export const MOVED_LINES: Pick<AccountExportFormat, "write" | "end"> = {
  async write(sql, owner, spool, lost) {
    await assertMovable(sql, owner);
    await writeForm(sql, owner, MOVED_FILE, { spool, lost });
  },
  end: (counts, sha256) => `${manifestLine(counts, sha256)}\n`,
};
