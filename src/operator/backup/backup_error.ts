/**
 * A backup cannot be written, read or restored. The message gives the reason, and contains no value of a
 * row.
 */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
