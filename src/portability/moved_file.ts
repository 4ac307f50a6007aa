/** The file of an account that moves: JSON Lines as its owner's, with the account and its ledgers. */

import { assertMovable } from "../accounts/moving.ts";
import { canonicalJson } from "../validate/canonical.ts";
import type { AccountExportFormat } from "./export_format.ts";
import { type FileForm, manifestLine, writeForm } from "./json_lines.ts";
import { LINE_TYPES } from "./line_types.ts";
import { ATTACHMENT_LINES } from "./lines/attachments.ts";
import { ACCOUNT, AUDIT_ENTRIES, ENVELOPES } from "./lines/moved.ts";

/** The first line, and the types of the others: the account is before what refers to it. */
export const MOVED_FILE: FileForm = {
  headLine: canonicalJson({ format: "prs-moved-account", version: 1 }),
  types: [
    ACCOUNT,
    ...LINE_TYPES.filter((type) => type !== ATTACHMENT_LINES),
    ...[AUDIT_ENTRIES, ENVELOPES, ATTACHMENT_LINES],
  ],
};

/** Refuses an account that is not frozen, by the very rows that it reads. */
export const MOVED_LINES: Pick<AccountExportFormat, "write" | "end"> = {
  async write(sql, owner, spool) {
    await assertMovable(sql, owner);
    await writeForm(sql, owner, MOVED_FILE, spool);
  },
  end: (counts, sha256) => `${manifestLine(counts, sha256)}\n`,
};
