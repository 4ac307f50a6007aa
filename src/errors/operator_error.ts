/** The message is fixed and contains no value. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}
