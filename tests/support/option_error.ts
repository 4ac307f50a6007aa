/** Invalid arguments of a task. The message names them. */
export class OptionError extends Error {
  override readonly name = "OptionError";
}
