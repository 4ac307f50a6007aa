import type { Sql } from "../database/sql.ts";
import type { SpoolWriter } from "./spool.ts";

/** How many there are of each type. */
export type RowCounts = Readonly<Record<string, number>>;

/** A form that an account is exported in. */
export interface AccountExportFormat {
  readonly mediaType: string;
  /** The extension of its file names. */
  readonly extension: string;
  /** Writes all that `sql` sees of the owner, as it is at one moment. */
  readonly write: (sql: Sql, owner: string, spool: SpoolWriter) => Promise<void>;
  /** The end of a file, given the digest of all bytes before it, in hex. */
  readonly end: (counts: RowCounts, sha256: string) => string;
}
