/** PGlite alone: opens `DATA_DIR`, runs one query, and reports ready as the service does. */

import { PGlite } from "@electric-sql/pglite";

const engine = await PGlite.create({ dataDir: `${Deno.env.get("DATA_DIR")}/postgres` });
await engine.query("select 1");
Deno.stderr.writeSync(new TextEncoder().encode("The engine is ready\n"));
Deno.addSignalListener("SIGTERM", async () => {
  await engine.close();
  Deno.exit();
});
// Until stopped.
setInterval(() => {}, 60_000);
