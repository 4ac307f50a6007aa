/** An operator's command that is refused. The message says why, is fixed and holds no value. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}
