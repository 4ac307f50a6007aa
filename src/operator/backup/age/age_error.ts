/** A file cannot be decrypted, or a key is invalid. The message contains no part of either. */
export class AgeError extends Error {
  override readonly name = "AgeError";
}
