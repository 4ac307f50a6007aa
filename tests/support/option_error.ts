/** Names invalid arguments of a task. */
export class OptionError extends Error {
  override readonly name = "OptionError";
}
