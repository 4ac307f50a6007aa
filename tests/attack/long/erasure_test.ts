/** An erasure that is killed at a hundred moments leaves the installation of before as it was. */

import { assertEquals } from "@std/assert";
import { remember } from "../../families/memory/api.ts";
import { runErase } from "../../support/erase_process.ts";
import { configFrom, createErasable, plan, run, signIn, verify } from "../../support/erasure.ts";
import { setUpOwner, startOwn } from "../../support/own_service.ts";
import { OWNER } from "../../support/owner.ts";

const KILLS = 100;
/** How much longer each run lasts than the one before. */
const STEP_MS = 30;

Deno.test("Erasure that is killed at a hundred moments can be run again", async () => {
  await using place = await createErasable();
  const { old, env, folder, fresh } = place;
  let memoryId = "";
  {
    await using service = await startOwn(configFrom(old.env));
    const owner = await setUpOwner(service);
    for (let count = 0; count < 50; count++) memoryId = (await remember(owner)).memoryId;
  }
  const { digest } = await plan(env, OWNER.email, `memory:${memoryId}`);
  const words = ["run", "--plan", digest, "--into", folder, "--reason", "LAW"];
  let killed = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    const { signal, code, stdout } = await runErase(env, words, kill * STEP_MS);
    if (signal === "SIGKILL") killed++;
    // It was done before its moment came. The next one continues as after a kill just before the
    // end.
    if (code !== 0) continue;
    const [, id = ""] = /^Certificate (\w+)/.exec(stdout) ?? [];
    await Deno.writeTextFile(`${folder}/unfinished`, `${id}\n`);
  }
  assertEquals(killed > KILLS / 10, true, `${killed} were killed`);
  assertEquals((await plan(env, OWNER.email, `memory:${memoryId}`)).digest, digest);
  await run(env, digest, folder);
  assertEquals((await verify(fresh)).found, []);
  await using service = await startOwn(configFrom(fresh));
  const owner = await signIn(service);
  const list = await owner.call("GET", "/api/v2/memory/texts?limit=100");
  assertEquals(list.body.data.items.length, 49);
});
