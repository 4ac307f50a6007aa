/** REL-001: the list of people; cursors of all lists. */

import { assertEquals } from "@std/assert";
import { type Json, sharedWorld } from "../support/world.ts";
import { assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { read } from "../families/memory/api.ts";
import { contact, createPerson, move, PEOPLE, personPath } from "../families/relationship/api.ts";

const world = sharedWorld();

Deno.test("The list has every status, newest first, filtered by status and kind", async () => {
  const caller = await world().createCaller();
  const people: Json[] = [];
  for (let index = 0; index < 9; index++) {
    world().advance(1);
    const relationshipType = index % 2 === 0 ? "FRIEND" : "FAMILY";
    people.unshift(await createPerson(caller, { personName: `P${index}`, relationshipType }));
  }
  const statuses = ["ACTIVE", "PAUSED", "ARCHIVED", "SEALED"] as const;
  const moves = [null, "PAUSED", "archive", "SEALED"] as const;
  const statusOf = (index: number) => statuses[index % 4];
  for (const [index, known] of people.entries()) {
    const to = moves[index % 4];
    if (to) await move(caller, known, to);
  }
  const listed = async (parameters: Record<string, string>) =>
    (await walkPages(caller, PEOPLE, { limit: "2", ...parameters })).flat()
      .map(({ personId }) => personId);
  assertEquals(await listed({}), people.map(({ personId }) => personId));
  for (const status of statuses) {
    for (const relationshipType of [undefined, "FRIEND", "FAMILY"]) {
      const expected = people.filter((known, index) =>
        statusOf(index) === status && known.relationshipType === (relationshipType ??
            known.relationshipType)
      );
      assertEquals(
        await listed({ status, ...(relationshipType && { relationshipType }) }),
        expected.map(({ personId }) => personId),
      );
    }
  }
  await assertWritesNothing(world(), async () => {
    const gone = await caller.call("GET", `${PEOPLE}?status=GONE`);
    assertInvalid(gone, ["field.option"], ["status"]);
  });
  assertEquals((await read(await world().createCaller(), PEOPLE)).items, []);
});

Deno.test("A cursor works for its owner, list, person and filters only", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const [known, another] = [await createPerson(caller), await createPerson(caller)];
  await createPerson(stranger);
  for (const each of [known, another]) {
    for (let index = 0; index < 3; index++) await contact(caller, each);
    for (const to of ["PAUSED", "ACTIVE", "PAUSED"] as const) await move(caller, each, to);
  }
  const cursorOf = async (path: string) =>
    encodeURIComponent((await read(caller, `${path}limit=1`)).nextCursor);
  const lists = [
    `${PEOPLE}?`,
    `${PEOPLE}?relationshipType=FRIEND&`,
    `${PEOPLE}?status=PAUSED&`,
    ...[known, another].flatMap((each) =>
      ["revisions", "status/history", "contacts", "timeline"].map((end) =>
        `${personPath(each)}/${end}?`
      )
    ),
  ];
  const cursors = new Map<string, string>();
  for (const list of lists) cursors.set(list, await cursorOf(list));
  await assertWritesNothing(world(), async () => {
    for (const list of lists) {
      for (const [origin, cursor] of cursors) {
        const response = await caller.call("GET", `${list}cursor=${cursor}`);
        if (origin === list) assertEquals(response.status, 200, list);
        else assertInvalid(response, ["cursor.unknown"], ["cursor"], `${origin} ${list}`);
      }
      const path = `${list}cursor=${cursors.get(list)}`;
      const foreign = await stranger.call("GET", path);
      assertInvalid(foreign, ["cursor.unknown"], ["cursor"]);
      const plain = await caller.call("GET", `${list}cursor=${known.personId}`);
      assertInvalid(plain, ["cursor.unknown"], ["cursor"]);
    }
  });
  // Later rows count too.
  world().advance(1000);
  const list = `${PEOPLE}?`;
  assertEquals((await caller.call("GET", `${list}cursor=${cursors.get(list)}`)).status, 200);
});
