import { errorCode } from "./error_code.ts";
import { escapeControls } from "./terminal_text.ts";

/** A standard stream. */
export interface Output {
  writeSync(bytes: Uint8Array): number;
}

const encoder = new TextEncoder();

/**
 * Writes a text completely; one write call may accept only some of the bytes.
 *
 * @throws the stream's error, after which a part of the text may have been written.
 */
export function writeText(output: Output, text: string): void {
  for (let rest = encoder.encode(text); rest.length > 0;) {
    rest = rest.subarray(output.writeSync(rest));
  }
}

/** Writes lines. If a line was cut off by an error, the next call first ends it. */
export class LineOutput {
  readonly #output: Output;
  #isInLine = false;

  constructor(output: Output) {
    this.#output = output;
  }

  /** @throws as `writeText`. */
  write(line: string): void {
    const counted: Output = {
      writeSync: (bytes) => {
        const written = this.#output.writeSync(bytes);
        this.#isInLine ||= written > 0;
        return written;
      },
    };
    writeText(counted, `${this.#isInLine ? "\n" : ""}${line}\n`);
    this.#isInLine = false;
  }
}

/**
 * Prints lines for a person, on standard error, and escapes their controls. Does not throw, because
 * a failure cannot be reported.
 */
export function printNote(text: string): void {
  writeNote(`${escapeControls(text)}\n`);
}

/** As `printNote`, without a line feed, and with controls as they are. */
export function writeNote(text: string): void {
  try {
    writeText(Deno.stderr, text);
  } catch {
    // The reader has ended, or the disk is full.
  }
}

/**
 * Prints a command's result on standard output, and escapes its controls.
 *
 * @returns false if it cannot be written, which is reported on standard error.
 */
export function printResult(text: string): boolean {
  try {
    writeText(Deno.stdout, `${escapeControls(text)}\n`);
    return true;
  } catch (error) {
    printNote(`The command is done, but its result is lost: ${outputProblem(error)}`);
    return false;
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EPIPE: "the program that read standard output has ended",
  ENOSPC: "the disk of standard output is full",
  EDQUOT: "the disk quota of standard output is used up",
  EAGAIN: "the reader of standard output is too slow",
  EBADF: "standard output is closed",
  EIO: "the terminal or disk of standard output failed",
};

/** The reason of a failed write to standard output, in words. */
export function outputProblem(error: unknown): string {
  const code = errorCode(error);
  return PROBLEMS[code] ?? `standard output cannot be written (${code || "no code"})`;
}
