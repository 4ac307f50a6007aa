// engines: postgres
/** An erasure that was cut off after its commit, and what a run refuses. */

import { assertEquals, assertRejects } from "@std/assert";
import { OperatorError } from "../../src/errors/operator_error.ts";
import { remember } from "../families/memory/api.ts";
import { createErasable, plan, run, signIn, withService } from "../support/erasure.ts";
import { setUpOwner } from "../support/own_service.ts";
import { OWNER } from "../support/owner.ts";

Deno.test("Erasure that was cut off is finished, and its folder is refused until then", async () => {
  await using place = await createErasable();
  const { old, env, folder, fresh } = place;
  const memoryId = await withService(
    old.env,
    async (service) => (await remember(await setUpOwner(service))).memoryId,
  );
  const { digest } = await plan(env, OWNER.email, `memory:${memoryId}`);
  const first = await run(env, digest, folder);
  // As after a kill between the commit and the end.
  await Deno.writeTextFile(`${folder}/unfinished`, `${first.id}\n`);
  const startFresh = () => withService(fresh, () => Promise.resolve());
  await assertRejects(startFresh, OperatorError, "was not finished");
  const again = await run(env, digest, folder);
  assertEquals(again.id, first.id);
  await startFresh();

  await withService(old.env, async (service) => remember(await signIn(service)));
  await Deno.writeTextFile(`${folder}/unfinished`, `${first.id}\n`);
  await assertRejects(() => run(env, digest, folder), OperatorError, "written since the plan");
  const around = old.dataDir.slice(0, old.dataDir.lastIndexOf("/"));
  for (const into of [old.dataDir, around]) {
    await assertRejects(() => run(env, digest, into), OperatorError, "--into");
  }
  for (const unknown of ["record:01KAGQ0000RANK000000000001", `person:${memoryId}`]) {
    await assertRejects(() => plan(env, OWNER.email, unknown), OperatorError, "no such subject");
  }
});
