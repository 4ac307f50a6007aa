/** Writes a line to standard error: what is no result goes there. */
export function tell(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}
