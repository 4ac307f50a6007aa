/** Standard error: standard output is for results. */
export function printProgress(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}
