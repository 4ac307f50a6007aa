/** An error whose message is fixed and contains no value, so that an operator may see it. */
export class ExplainedError extends Error {
  override readonly name: string = "ExplainedError";
  /** True if a new try cannot succeed before somebody changes something. */
  readonly isPermanent: boolean;

  constructor(message: string, { isPermanent = false } = {}) {
    super(message);
    this.isPermanent = isPermanent;
  }
}

/** A command cannot do its work. */
export class OperatorError extends ExplainedError {
  override readonly name = "OperatorError";
}

/** A command has finished, but something is missing, which its lines name: exit code 3. */
export class IncompleteError extends Error {
  override readonly name = "IncompleteError";
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super("The result is incomplete");
    this.lines = lines;
  }
}
