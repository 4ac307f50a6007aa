/** A backup cannot be written, read or restored. The message says why, and holds no value of a row. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
