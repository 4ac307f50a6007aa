/** Exit codes of the command. */
export const EXIT = { refused: 1, usage: 2, conflict: 3, unreachable: 4, signIn: 5 } as const;

/** Ends the command with one sentence. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.refused) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command line is invalid; without a message, the usage is shown. */
export class UsageError extends CommandError {
  constructor(message = "") {
    super(message, EXIT.usage);
  }
}
