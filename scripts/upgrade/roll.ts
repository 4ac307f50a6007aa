/** Two releases on one database: each reads and changes the objects of the other. */

import { assertEquals } from "@std/assert";
import { done, textPath, TEXTS } from "../../tests/families/memory/api.ts";
import { createPerson, personPath } from "../../tests/families/relationship/api.ts";
import { COMMITMENT } from "../../tests/http/kernel.ts";
import { download, uploaded } from "../../tests/support/attachments.ts";
import { waitUntil } from "../../tests/support/wait.ts";
import type { Caller, Json } from "../../tests/support/world.ts";
import { type Keys, readByKeys, signIn } from "./life.ts";
import type { Place } from "./place.ts";

const ROUNDS = 10;
const RECORDS = "/api/v2/records/commitment";

/** A release, and the owner's session on it. */
interface Side {
  readonly place: Place;
  readonly owner: Caller;
}

/** Writes by both running releases; returns how many objects. */
export async function roll(old: Place, present: Place, keys: Keys): Promise<number> {
  const former = { place: old, owner: await signIn(old) };
  const latter = { place: present, owner: await signIn(present) };
  for (let round = 0; round < ROUNDS; round++) {
    await exchange(former, latter, `basalt${round}`);
    await exchange(latter, former, `quartz${round}`);
  }
  await waitUntil("this release has indexed the rows of the other", async () => {
    return (await latter.owner.call("GET", `${RECORDS}?sort=title`)).status === 200;
  }, { pollMs: 1_000 });
  const [before, after] = [await readByKeys(old, keys), await readByKeys(present, keys)];
  assertEquals(before, after);
  return ROUNDS * 2 * 4;
}

/** Writes by one release; the other one reads, finds and changes the objects. */
async function exchange(writer: Side, changer: Side, word: string): Promise<void> {
  const sides = [writer, changer];
  const { recordId, revision } = await writer.owner.create("commitment", COMMITMENT, word);
  const path = `${RECORDS}/${recordId}`;
  const body = { title: `${word} changed`, expectedRevision: revision };
  const changed = await changer.owner.call("PATCH", path, { body });
  assertEquals(changed.status, 200, changed.text);

  const text = { title: word, memoryType: "EVENT", originalContent: "x" };
  const memory = await done(writer.owner, TEXTS, text);
  await done(changer.owner, textPath(memory, "/archive"), {});
  await done(writer.owner, textPath(memory, "/restore"), {});

  const person = await createPerson(writer.owner, { personName: "x" });
  const set = { expectedRevision: person.revision, set: { personName: word } };
  const key = crypto.randomUUID();
  const renamed = await changer.owner.call("PATCH", personPath(person), { body: set, key });
  assertEquals(renamed.status, 200, renamed.text);

  const attachmentId = await uploaded(writer.owner, word);
  const { bytes } = await download(changer.place, changer.owner, attachmentId);
  assertEquals(new TextDecoder().decode(bytes), word);

  const ids = [recordId, memory.memoryId, person.personId].sort();
  for (const { owner } of sides) {
    const read = (await owner.call("GET", path)).body.data;
    assertEquals([read.title, read.revision], [body.title, 2]);
    assertEquals(await findIds(owner, word), ids);
  }
}

async function findIds(owner: Caller, q: string): Promise<string[]> {
  const { status, body, text } = await owner.call("POST", "/api/v2/search", { body: { q } });
  assertEquals(status, 200, text);
  return body.data.items.map(({ recordId }: Json) => recordId).sort();
}
