import { writeText } from "../src/core/output.ts";

/** Prints a line, or several of one text, on standard output. */
export function print(text: string): void {
  writeText(Deno.stdout, `${text}\n`);
}
