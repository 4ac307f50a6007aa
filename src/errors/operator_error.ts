/** A rejected operator command. The message gives the reason, is fixed and contains no value. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}
