/** A program that only reports that it is ready and waits: the start-up cost of Deno alone. */

Deno.stderr.writeSync(new TextEncoder().encode("Nothing is ready\n"));
Deno.addSignalListener("SIGTERM", () => Deno.exit());
setInterval(() => {}, 60_000);
