/** Writes a line to standard error, which is for everything but results. */
export function tell(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}
