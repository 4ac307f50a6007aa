// engines: postgres
/**
 * An erasure that was interrupted after its commit, rejected runs, and a lost attachment that
 * stays.
 */

import { assertEquals, assertRejects } from "@std/assert";
import type { LostAttachment } from "../../src/attachments/loss.ts";
import { OperatorError } from "../../src/errors/operator_error.ts";
import { remember } from "../families/memory/api.ts";
import { filesUnder, uploaded } from "../support/attachments.ts";
import { createErasable, plan, run, signIn, withService } from "../support/erasure.ts";
import { setUpOwner } from "../support/own_service.ts";
import { OWNER } from "../support/owner.ts";

Deno.test("Erasure that was cut off is finished, and its folder is refused until then", async () => {
  await using place = await createErasable();
  const { old, env, folder, fresh } = place;
  const { memoryId, attachmentId } = await withService(old.env, async (service) => {
    const owner = await setUpOwner(service);
    const attachmentId = await uploaded(owner, "bytes that are lost");
    return { memoryId: (await remember(owner)).memoryId, attachmentId };
  });
  const [file] = await filesUnder(`${old.dataDir}/objects`);
  await Deno.remove(`${old.dataDir}/objects/${file}`);
  const { digest } = await plan(env, OWNER.email, `memory:${memoryId}`);
  const lost: LostAttachment[] = [];
  const first = await run(env, digest, folder, (found) => lost.push(...found));
  assertEquals(lost, [{ attachmentId, loss: "missing" }]);
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
