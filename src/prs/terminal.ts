/** Standard input, output and error: results, notes, questions. */

import { writeText } from "../core/output.ts";
import { escapeControls } from "../core/terminal_text.ts";
import { UsageError } from "./failures.ts";

/** 128 and the number of SIGINT, as shells have it. */
const EXIT_INTERRUPTED = 130;

/** Prints a result, a line on standard output, with its controls escaped. */
export function print(line: string): void {
  writeText(Deno.stdout, `${escapeControls(line)}\n`);
}

/** Prints progress, a question or an error on standard error, with its controls escaped. */
export function note(line: string): void {
  writeText(Deno.stderr, `${escapeControls(line)}\n`);
}

/** A text as one column of a line: tabs and line ends become spaces. */
export function printable(text: string): string {
  return text.replaceAll(/[\t\n\r]/g, " ");
}

/** Columns with tabs between them. */
export function columns(...texts: readonly string[]): string {
  return texts.map(printable).join("\t");
}

/** @throws UsageError if the bytes are not UTF-8. */
function decode(bytes: Uint8Array): string {
  try {
    // A byte order mark belongs to the text.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError("Standard input is not text in UTF-8");
  }
}

/** All of standard input, without one final line end. */
export async function readText(): Promise<string> {
  return decode(await new Response(Deno.stdin.readable).bytes()).replace(/\r?\n$/, "");
}

/** The bytes of standard input that were read beyond a line. */
let rest = new Uint8Array();

/** The next line of standard input without its end; null at the end of the input. */
export async function readLine(): Promise<string | null> {
  const buffer = new Uint8Array(65_536);
  while (true) {
    const end = rest.indexOf(0x0a);
    const count = end === -1 ? await Deno.stdin.read(buffer) : null;
    if (count === null) {
      if (end === -1 && rest.length === 0) return null;
      const line = rest.subarray(0, end === -1 ? rest.length : end);
      rest = rest.slice(line.length + 1);
      return decode(line).replace(/\r$/, "");
    }
    rest = Uint8Array.from([...rest, ...buffer.subarray(0, count)]);
  }
}

/**
 * Asks for a line: at the terminal, or without one from standard input.
 *
 * @throws UsageError if there is none.
 */
export async function ask(question: string, isHidden = false): Promise<string> {
  const isTerminal = Deno.stdin.isTerminal();
  if (isTerminal) writeText(Deno.stderr, question);
  const line = isTerminal && isHidden ? await readHidden() : await readLine();
  if (line === null) throw new UsageError(`${question.trim()} no answer on standard input`);
  return line;
}

/** A line that is not shown while it is typed. */
async function readHidden(): Promise<string | null> {
  const stop = () => {
    Deno.stdin.setRaw(false);
    Deno.exit(EXIT_INTERRUPTED);
  };
  Deno.stdin.setRaw(true, { cbreak: true });
  Deno.addSignalListener("SIGINT", stop);
  Deno.addSignalListener("SIGTERM", stop);
  try {
    const typed: string[] = [];
    const decoder = new TextDecoder();
    const buffer = new Uint8Array(256);
    while (true) {
      const count = await Deno.stdin.read(buffer);
      if (count === null) return null;
      for (const key of decoder.decode(buffer.subarray(0, count), { stream: true })) {
        if (key === "\r" || key === "\n") return typed.join("");
        if (key === "\x04") return null;
        if (key === "\b" || key === "\x7f") typed.pop();
        else if (key >= " ") typed.push(key);
      }
    }
  } finally {
    Deno.stdin.setRaw(false);
    Deno.removeSignalListener("SIGINT", stop);
    Deno.removeSignalListener("SIGTERM", stop);
    note("");
  }
}
