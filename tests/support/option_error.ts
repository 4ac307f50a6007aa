/** Arguments of a task that cannot be used. The message says which. */
export class OptionError extends Error {
  override readonly name = "OptionError";
}
