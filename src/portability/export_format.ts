import type { Sql } from "../database/sql.ts";
import type { SpoolWriter } from "./spool.ts";

export type RowCounts = Readonly<Record<string, number>>;

export type LostDigests = ReadonlySet<string>;

export interface AccountExportFormat {
  readonly mediaType: string;
  readonly extension: string;
  /**
   * Writes everything of the owner that `sql` sees, as of one moment.
   *
   * @param lost SHA-256 in hex of the attachments whose bytes are lost.
   */
  readonly write: (sql: Sql, owner: string, spool: SpoolWriter, lost: LostDigests) => Promise<void>;
  /** The end of a file, given the hex digest of all bytes before it. */
  readonly end: (counts: RowCounts, sha256: string) => string;
}
