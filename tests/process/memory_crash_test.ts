import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { createInstallation } from "../support/installation.ts";
import { startServer } from "../support/server_process.ts";
import { type Person, personOf } from "../support/world.ts";

const DRAFTS = "/api/v2/memory/drafts";
const SAVES = 25;

Deno.test("kill -9 loses no save of a draft that was acknowledged, and commits it once", async () => {
  const draftId = ulid();
  const path = `${DRAFTS}/${draftId}`;
  const content = (version: number) => ({
    title: `Version ${version}`,
    memoryType: "EVENT",
    originalContent: "x".repeat(version * 100),
  });
  let owner: Person | null = null;
  await using place = await createInstallation();
  {
    await using server = await startServer(place.env);
    owner = await server.setUp();
    for (let version = 1; version <= SAVES; version++) {
      const body = { draftVersion: version, content: content(version) };
      assertEquals((await owner.call("PUT", path, { body })).status, 200);
    }
    server.kill("SIGKILL");
    await server.ended;
  }
  await using server = await startServer(place.env);
  const person = personOf(server.app, owner);
  const { data: draft } = (await person.call("GET", path)).body;
  assertEquals([draft.draftVersion, draft.content, draft.state], [SAVES, content(SAVES), "OPEN"]);
  const [first, again] = [
    await person.call("POST", `${path}/commit`),
    await person.call("POST", `${path}/commit`),
  ];
  assertEquals([first.status, again.body.data], [201, first.body.data]);
  assertEquals(first.body.data.title, `Version ${SAVES}`);
});
