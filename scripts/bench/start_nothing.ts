/** Only reports ready and waits: Deno's own start-up cost. */

Deno.stderr.writeSync(new TextEncoder().encode("Nothing is ready\n"));
Deno.addSignalListener("SIGTERM", () => Deno.exit());
setInterval(() => {}, 60_000);
