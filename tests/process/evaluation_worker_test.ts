/** The worker in a process: with requests, and at shutdown. */

import { assertEquals } from "@std/assert";
import { propose, shown } from "../families/relationship/evaluation.ts";
import { createPerson, current, personPath } from "../families/relationship/api.ts";
import { createInstallation } from "../support/installation.ts";
import { completion, serveProvider } from "../support/provider_server.ts";
import { startServer } from "../support/server_process.ts";
import { waitUntil } from "../support/wait.ts";
import { callerOf } from "../support/world.ts";

Deno.test("SIGTERM aborts a provider call and returns the proposal without counting the attempt", async () => {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<Response>();
  let isHeld = true;
  await using provider = serveProvider(() => {
    asked.resolve();
    return isHeld ? held.promise : new Response(completion("An evaluation"));
  });
  await using place = await createInstallation();
  const settings = {
    RELATIONSHIP_EVALUATION_WORKER_ENABLED: "true",
    EVALUATION_PROVIDER_URL: provider.url,
    EVALUATION_PROVIDER_MODEL: "sober-1",
  };
  const owner = await place.settle();
  await using server = await startServer({ ...place.env, ...settings });
  const caller = callerOf(server.app, owner);
  const known = await createPerson(caller);
  const proposal = await propose(caller, known);
  await asked.promise;
  // During a provider call nothing is locked.
  assertEquals((await createPerson(caller)).revision, 1);
  assertEquals((await current(caller, known)).revision, 1);
  const { state, attempts } = await shown(caller, proposal);
  assertEquals([state, attempts], ["REQUESTED", 1]);

  server.kill("SIGTERM");
  const { code, signal, stdout } = await server.ended;
  assertEquals({ code, signal }, { code: 0, signal: null });
  const rows = await place.rows("select state, attempts, lease_id from person_proposals");
  assertEquals(rows, [{ state: "REQUESTED", attempts: 0, lease_id: null }]);
  const [batch] = stdout.split("\n").filter((line) => line.includes('"evaluation_batch"'));
  assertEquals(JSON.parse(batch ?? "").stopped, 1);
  for (const id of [proposal.proposalId, known.personId, caller.accountId]) {
    assertEquals(batch?.includes(id), false, "A line of a batch names no record");
  }
  held.resolve(new Response());

  isHeld = false;
  await using again = await place.serve(settings);
  const back = callerOf(again.app, caller);
  await waitUntil(
    "the proposal is ready",
    async () => (await shown(back, proposal)).state === "READY",
  );
  const { attempts: counted, candidate, provider: name, model } = await shown(back, proposal);
  assertEquals([counted, candidate, name, model], [1, "An evaluation", "http", "sober-1"]);
  assertEquals((await back.call("GET", personPath(known))).status, 200);
});
