// engines: embedded
/**
 * No file of 100 MB raises the service's memory by more than 200 MiB, keeps another account waiting
 * for more than two seconds, or stays in work. `IMPORT_MB` sets the size, `IMPORT_ONLY` selects
 * titles by an expression.
 */

import { assert } from "@std/assert";
import { createInstallation } from "../../support/installation.ts";
import { startServer } from "../../support/server_process.ts";
import { callerOf, signUp } from "../../support/world.ts";
import { IMPORT_ATTACKS } from "../import_files.ts";
import { attackWith } from "../import_stage.ts";

const BYTES = Number(Deno.env.get("IMPORT_MB") ?? 100) * 1_000_000;
const ONLY = new RegExp(Deno.env.get("IMPORT_ONLY") ?? "");
const MAX_GROWTH_MIB = 200;
const MAX_WAIT_MS = 2_000;

for (const attack of IMPORT_ATTACKS) {
  const name = `${attack.format}: ${attack.title}`;
  if (!ONLY.test(name)) continue;
  Deno.test({
    name,
    ignore: Deno.build.os !== "linux",
    async fn() {
      await using installation = await createInstallation();
      const [one, two] = await installation.withDatabase(async (database) => {
        const fetch = () => Promise.reject(new Error("Nothing is served yet"));
        const now = new Date();
        return [await signUp({ fetch }, database, now), await signUp({ fetch }, database, now)];
      });
      await using server = await startServer(installation.env);
      const [aggressor, other] = [callerOf(server.app, one), callerOf(server.app, two)];
      await other.call("GET", "/api/v2/memory/texts?limit=1");
      const { growth, waits, ...measured } = await attackWith(
        server,
        aggressor,
        other,
        attack,
        BYTES,
      );
      const rounded = { ...measured, growth: Math.round(growth), waits: waits.map(Math.round) };
      Deno.stdout.writeSync(
        new TextEncoder().encode(`${JSON.stringify({ name, ...rounded })}\n`),
      );
      assert(growth <= MAX_GROWTH_MIB, `${Math.round(growth)} MiB`);
      assert(waits[0] <= MAX_WAIT_MS, `${Math.round(waits[0])} ms`);
    },
  });
}
