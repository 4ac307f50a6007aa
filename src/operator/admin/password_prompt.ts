/**
 * Sources of a password for operator commands: a file, the terminal, or standard input. Never an
 * argument, which every user of the machine can read.
 */

import { writeNote } from "../../core/output.ts";
import { OperatorError } from "../../errors/operator_error.ts";
import { readLine } from "./lines.ts";

/** A terminal, or a test double. */
interface Terminal {
  /** Turns off echo and delivers each key immediately; Ctrl-C still ends the program. */
  setRaw(isRaw: boolean): void;
  read(into: Uint8Array): Promise<number | null>;
  write(text: string): void;
}

/** Maximum bytes of input; longer than any allowed password. */
const MAX_BYTES = 4096;

/**
 * Reads the file if one is named, else the terminal, else the first line of standard input.
 *
 * @throws OperatorError without a password, or if it is not UTF-8.
 */
export async function readPassword(file: string | null): Promise<string> {
  if (file !== null) return decode(await readFile(file));
  if (Deno.stdin.isTerminal()) return await promptPassword(processTerminal());
  return await readPiped(Deno.stdin);
}

async function readFile(path: string): Promise<Uint8Array> {
  try {
    return await Deno.readFile(path);
  } catch {
    throw new OperatorError(
      "--password-file: cannot be read; it must be in ./secrets or DATA_DIR, or come on standard input",
    );
  }
}

/** The first line of a stream; a line feed is not required. */
export async function readPiped(
  stream: { read(into: Uint8Array): Promise<number | null> },
): Promise<string> {
  const line = await readLine(endingWithLineFeed(stream), MAX_BYTES);
  if (line === null) throw new OperatorError("The password is too long");
  return decode(line);
}

function endingWithLineFeed(
  stream: { read(into: Uint8Array): Promise<number | null> },
): { read(into: Uint8Array): Promise<number> } {
  return {
    async read(into) {
      const count = await stream.read(into);
      if (count !== null) return count;
      into[0] = 0x0a;
      return 1;
    },
  };
}

function decode(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes).replace(/\r?\n?$/, "");
  if (text === "") throw new OperatorError("No password was given");
  return text;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new OperatorError("The password is not valid UTF-8");
  }
}

/**
 * Asks twice, without echo. Always restores the terminal.
 *
 * @throws OperatorError if the two differ, or none was typed.
 */
export async function promptPassword(terminal: Terminal): Promise<string> {
  terminal.setRaw(true);
  try {
    const keys = readKeys(terminal);
    const password = await ask(terminal, keys, "Password: ");
    if (password === "") throw new OperatorError("No password was given");
    const again = await ask(terminal, keys, "Repeat the password: ");
    if (password !== again) throw new OperatorError("The two passwords differ");
    return password;
  } finally {
    terminal.setRaw(false);
  }
}

async function* readKeys(terminal: Terminal): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(256);
  while (true) {
    const count = await terminal.read(buffer);
    if (count === null) return;
    // A multi-byte character may arrive in two parts.
    yield* decoder.decode(buffer.subarray(0, count), { stream: true });
  }
}

const BACKSPACES = new Set(["\b", "\x7f"]);
const CONTROL_D = "\x04";
const CONTROL_U = "\x15";

async function ask(
  terminal: Terminal,
  keys: AsyncGenerator<string, void>,
  question: string,
): Promise<string> {
  terminal.write(question);
  try {
    const typed: string[] = [];
    while (true) {
      const { value: key } = await keys.next();
      if (key === "\r" || key === "\n") return typed.join("");
      if (key === undefined || key === CONTROL_D) throw new OperatorError("No password was given");
      if (BACKSPACES.has(key)) typed.pop();
      else if (key === CONTROL_U) typed.length = 0;
      // Other control characters are ignored.
      else if (key >= " ") typed.push(key);
    }
  } finally {
    terminal.write("\n");
  }
}

/** The process's terminal. A signal that ends the program first restores the echo. */
function processTerminal(): Terminal {
  const restoreTerminal = () => {
    Deno.stdin.setRaw(false);
    Deno.exit(EXIT_INTERRUPTED);
  };
  return {
    setRaw(isRaw) {
      Deno.stdin.setRaw(isRaw, { cbreak: isRaw });
      const setListener = isRaw ? Deno.addSignalListener : Deno.removeSignalListener;
      for (const signal of ["SIGINT", "SIGTERM"] as const) setListener(signal, restoreTerminal);
    },
    read: (into) => Deno.stdin.read(into),
    write: writeNote,
  };
}

/** 128 + SIGINT, as in shells. */
const EXIT_INTERRUPTED = 130;
