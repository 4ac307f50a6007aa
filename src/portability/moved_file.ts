/** The file of an account that moves: JSON Lines as its owner's, with the account and its ledgers. */

import { assertMovable } from "../accounts/moving.ts";
import { canonicalJson } from "../validate/canonical.ts";
import type { ExportFormat } from "./export_format.ts";
import { type FileForm, manifestLine, writeForm } from "./json_lines.ts";
import { LINE_TYPES } from "./line_types.ts";
import { ATTACHMENTS } from "./lines/attachments.ts";
import { ACCOUNT, AUDIT_ENTRIES, ENVELOPES } from "./lines/moved.ts";

/** The first line, and the types of the others: the account is before what refers to it. */
export const MOVED_FILE: FileForm = {
  headLine: canonicalJson({ format: "prs-moved-account", version: 1 }),
  types: [
    ACCOUNT,
    ...LINE_TYPES.filter((type) => type !== ATTACHMENTS),
    ...[AUDIT_ENTRIES, ENVELOPES, ATTACHMENTS],
  ],
};

/** Refuses an account that is not frozen, by the very rows that it reads. */
export const MOVED_LINES: Pick<ExportFormat, "write" | "end"> = {
  async write(sql, owner, spool) {
    await assertMovable(sql, owner);
    await writeForm(sql, owner, MOVED_FILE, spool);
  },
  end: (counts, sha256) => `${manifestLine(counts, sha256)}\n`,
};
