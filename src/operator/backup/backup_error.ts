/** A backup cannot be written, read or restored. The message contains no value of a row. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
