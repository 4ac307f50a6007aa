/**
 * The task `erase`, and runs that are killed. `tests/attack/long/erasure_test.ts` kills a hundred.
 */

import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { BackupError } from "../../src/operator/backup/backup_error.ts";
import { remember } from "../families/memory/api.ts";
import { runErase, runEraseTask } from "../support/erase_process.ts";
import { configFrom, createErasable, signIn, verify } from "../support/erasure.ts";
import { setUpOwner, startOwn } from "../support/own_service.ts";
import { OWNER } from "../support/owner.ts";
import { ENGINE } from "../support/world.ts";

/** Milliseconds after the start of a run, which takes a second on a quiet machine. */
const MOMENT = 400;

Deno.test("Task plans and runs an erasure, also after one that was killed", async () => {
  await using place = await createErasable();
  const { old, env, folder, fresh } = place;
  let [memoryId, staying] = ["", ""];
  {
    await using service = await startOwn(configFrom(old.env));
    const owner = await setUpOwner(service);
    memoryId = (await remember(owner)).memoryId;
    staying = (await remember(owner)).memoryId;
  }
  const planned = await runErase(env, ["plan", "--email", OWNER.email, "--memory", memoryId]);
  assertEquals([planned.code, planned.stderr], [0, ""]);
  const [, digest = ""] = /\nPlan ([0-9a-f]{64})\n$/.exec(planned.stdout) ?? [];
  const words = ["run", "--plan", digest, "--into", folder, "--reason", "MISTAKE"];
  assertEquals((await runErase(env, words, MOMENT)).signal, "SIGKILL");
  const ended = await runEraseTask(env, ...words);
  assertEquals(ended.stderr, "");
  assertMatch(ended.stdout, /^Certificate [0-9A-Z]{26} of /);
  assertEquals(ended.code, 0);
  assertEquals((await verify(fresh)).found, []);
  await Deno.copyFile(`${folder}/erasures.jsonl`, `${old.dataDir}/erasures.jsonl`);
  const before = await runErase(old.env, ["verify", "--json"]);
  assertEquals([before.code, before.stderr], [1, ""]);
  assertStringIncludes(before.stdout, `{"table":"memories","subjectId":"${memoryId}"}`);
  await assertRejects(() => startOwn(configFrom(old.env)), BackupError, "are erased");
  await using service = await startOwn(configFrom(fresh));
  const owner = await signIn(service);
  const path = "/api/v2/memory/texts";
  assertEquals((await owner.call("GET", `${path}/${memoryId}`)).status, 410);
  assertEquals((await owner.call("GET", `${path}/${staying}`)).status, 200);
});

Deno.test({
  name: "Erase exits with 2, 78 or 1 for words, settings and plans that it refuses",
  ignore: ENGINE === "postgres",
  async fn() {
    await using place = await createErasable();
    const words = ["run", "--plan", "0".repeat(64), "--into", place.folder, "--reason", "LAW"];
    assertEquals((await runErase(place.env, words.slice(1))).code, 2);
    const env = { ...place.env, ERASE_DATABASE_URL: "postgres://prs@127.0.0.1:1/nothing" };
    assertEquals((await runErase(env, words)).code, 78);
    const { code, stdout, stderr } = await runErase(place.env, words);
    assertEquals([code, stdout, stderr], [1, "", "There is no such plan: plan again\n"]);
  },
});
