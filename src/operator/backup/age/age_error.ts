/** A file cannot be decrypted, or a key is none. The message says why, and holds nothing of either. */
export class AgeError extends Error {
  override readonly name = "AgeError";
}
