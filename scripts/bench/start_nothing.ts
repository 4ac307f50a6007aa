/** A program that does nothing but say so and wait: what Deno by itself takes to start. */

Deno.stderr.writeSync(new TextEncoder().encode("Nothing is ready\n"));
Deno.addSignalListener("SIGTERM", () => Deno.exit());
setInterval(() => {}, 60_000);
