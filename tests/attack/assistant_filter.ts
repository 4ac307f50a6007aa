/**
 * Random calls of random assistants, compared with a filter that does not share code with the
 * service: it uses the records of their owner, and the catalog of the API.
 */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { examplePayload } from "../../src/catalog/example_payload.ts";
import { PLACE } from "../../src/catalog/modules/place.ts";
import { createPerson, move } from "../families/relationship/api.ts";
import { contentOf, createAssistant, LIMITS, type TestAssistant } from "../http/assistants.ts";
import { ACTION, ROUTINE } from "../http/calendar.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, createWorld, type Json, type World } from "../support/world.ts";

const WORDS = ["amber", "birch", "cedar", "delta", "ember"];
const CODES = ["commitment", "action", "routine", "relationship", "memory", "place"];

/** A record as its owner reads it. */
interface Known {
  readonly code: string;
  readonly record: Json;
  /** Texts that no assistant sees, and those that one with SHOWN does. */
  readonly texts: Json;
  readonly isSecret: boolean;
}

/** Makes calls and compares their answers. */
export async function assertFiltered(seed: number, calls: number): Promise<void> {
  await using world = await createWorld({ assistants: LIMITS });
  const random = seededRandom(seed);
  const owner = await world.createCaller();
  const known = await makeRecords(world, owner, random);
  const sensitive = await sensitiveFields(owner);
  for (let made = 0; made < calls;) {
    const lent = CODES.filter(() => random.chance(0.5));
    const modules = lent.length === 0 ? ["place"] : lent;
    const isShown = random.chance(0.5);
    const helper = await createAssistant(world, owner, {
      modules,
      sensitive: isShown ? "SHOWN" : "HIDDEN",
    });
    const filter = new Filter(known, sensitive, modules, isShown);
    for (let count = 0; count < 250 && made < calls; count++, made++) {
      await assertCall(helper, filter, random);
    }
    await owner.call("POST", `/api/v2/auth/assistants/${helper.id}/revoke`);
  }
}

async function makeRecords(world: World, owner: Caller, random: Random): Promise<Known[]> {
  const words = () => `${random.pick(WORDS)} ${random.pick(WORDS)}`;
  const known: Known[] = [];
  const dueAt = world.now().toISOString();
  const bodies: Readonly<Record<string, () => Json>> = {
    commitment: () => ({
      commitmentType: "LENT",
      completionStatus: "OPEN",
      content: words(),
      notes: words(),
      dueAt,
    }),
    action: () => ({ ...ACTION, description: words(), targetDate: dueAt }),
    routine: () => ({ ...ROUTINE, nextDueAt: dueAt }),
    place: () => ({ ...examplePayload(PLACE), placeName: words() }),
  };
  for (let count = 0; count < 60; count++) {
    world.advance(1);
    const code = random.pick(CODES);
    const isSecret = random.chance(0.3);
    const title = words();
    let texts: Json = {};
    let id: string;
    if (code === "memory") {
      texts = { originalContent: words(), currentContent: words() };
      const body = { title, memoryType: "EVENT", ...texts };
      const privacyLevel = isSecret ? "SECRET" : "NORMAL";
      const path = "/api/v2/memory/texts";
      const sent = { body: { ...body, privacyLevel }, key: ulid() };
      id = (await owner.call("POST", path, sent)).body.data.memoryId;
    } else if (code === "relationship") {
      const opinion = words();
      const person = await createPerson(owner, { personName: title, opinion });
      if (isSecret) await move(owner, person, "SEALED");
      id = person.personId;
    } else {
      const payload = bodies[code]?.();
      id = (await owner.create(code, payload, title)).recordId;
      if (random.chance(0.2)) await owner.call("POST", `/api/v2/records/${code}/${id}/archive`);
    }
    const { data: record } = (await owner.call("GET", `/api/v2/records/${code}/${id}`)).body;
    const isGuarded = isSecret && (code === "memory" || code === "relationship");
    known.push({ code, record, texts, isSecret: isGuarded });
  }
  return known;
}

async function sensitiveFields(owner: Caller): Promise<Map<string, string[]>> {
  const { modules } = (await owner.call("GET", "/api/v2/catalog")).body.data;
  return new Map(modules.map(({ code, fields }: Json) => [
    code,
    fields.filter((field: Json) => field.sensitive).map(({ name }: Json) => name),
  ]));
}

/** The view of an assistant, computed from all records. */
class Filter {
  readonly all: readonly Known[];
  readonly modules: readonly string[];
  readonly #isShown: boolean;
  readonly #sensitive: ReadonlyMap<string, readonly string[]>;

  constructor(
    all: readonly Known[],
    sensitive: ReadonlyMap<string, readonly string[]>,
    modules: readonly string[],
    isShown: boolean,
  ) {
    this.all = all;
    this.#sensitive = sensitive;
    this.modules = modules;
    this.#isShown = isShown;
  }

  /** Newest first. */
  visible(archived: string): readonly Known[] {
    return this.all.toReversed().filter(({ code, record, isSecret }) =>
      this.modules.includes(code) && !isSecret &&
      (archived === "include" || (record.archivedAt !== null) === (archived === "only"))
    );
  }

  show({ code, record, texts }: Known): Json {
    const hidden: string[] = [];
    const payload = { ...record.payload, ...(this.#isShown ? texts : {}) };
    if (!this.#isShown) {
      if (code === "relationship") hidden.push("title");
      for (const name of this.#sensitive.get(code) ?? []) {
        if (!(name in payload)) continue;
        hidden.push(name);
        payload[name] = null;
      }
    }
    const { sourceType: _, recordedAt: __, ...rest } = record;
    const title = hidden.includes("title") ? null : record.title;
    return { ...rest, title, payload, hidden, truncated: false };
  }

  isFound(known: Known, query: string): boolean {
    const { title, summary, payload } = this.show(known);
    const texts = [title, summary, ...Object.values(payload)]
      .filter((value) => typeof value === "string");
    const words = texts.flatMap((text) => text.toLowerCase().split(/[^a-z0-9]+/));
    return query.split(" ").every((asked) => words.some((word) => word.startsWith(asked)));
  }
}

async function assertCall(helper: TestAssistant, filter: Filter, random: Random): Promise<void> {
  const code = random.pick([...CODES, "health", "nothing"]);
  const isLent = filter.modules.includes(code);
  const archived = random.pick(["exclude", "only", "include"]);
  const limit = random.integer(1, 20);
  const target = random.pick(filter.all);
  const key = { moduleCode: code, recordId: target.record.recordId };
  const isThere = target.code === code && !target.isSecret;
  switch (random.pick(["list_records", "get_record", "get_history", "search", "list_due"])) {
    case "list_records": {
      const answer = await helper.call("list_records", { moduleCode: code, archived, limit });
      if (!isLent) return assertMissing(answer, "RECORD_MODULE_NOT_FOUND");
      const all = filter.visible(archived).filter((known) => known.code === code);
      const { items, nextCursor } = contentOf(answer);
      assertEquals(items, all.slice(0, limit).map((known) => filter.show(known)));
      return assertEquals(nextCursor !== null, all.length > limit);
    }
    case "get_record": {
      const answer = await helper.call("get_record", key);
      if (!isLent) return assertMissing(answer, "RECORD_MODULE_NOT_FOUND");
      if (!isThere) return assertMissing(answer, "RECORD_NOT_FOUND");
      return assertEquals(contentOf(answer).record, filter.show(target));
    }
    case "get_history": {
      const answer = await helper.call("get_history", key);
      if (!isLent) return assertMissing(answer, "RECORD_MODULE_NOT_FOUND");
      if (!isThere) return assertMissing(answer, "RECORD_NOT_FOUND");
      const [newest] = contentOf(answer).items;
      const { title, hidden } = filter.show({ ...target, texts: {} });
      return assertEquals([newest.title, newest.hidden], [title, hidden]);
    }
    case "search": {
      const q = random.chance(0.5)
        ? random.pick(WORDS)
        : `${random.pick(WORDS).slice(0, 3)} ${random.pick(WORDS)}`;
      const { items, nextCursor } = contentOf(await helper.call("search", { q, archived, limit }));
      const all = filter.visible(archived).filter((known) => filter.isFound(known, q));
      const ids = all.slice(0, limit).map(({ record }) => record.recordId);
      assertEquals(items.map(({ recordId }: Json) => recordId), ids, q);
      return assertEquals(nextCursor !== null, all.length > limit);
    }
    default: {
      const { items } = contentOf(await helper.call("list_due", { limit }));
      for (const { moduleCode, recordId, title, hidden } of items) {
        const found = filter.visible("exclude").find(({ record }) => record.recordId === recordId);
        assert(found !== undefined && found.code === moduleCode);
        const shown = filter.show(found);
        assertEquals([title, hidden], [shown.title, shown.title === null ? ["title"] : []]);
      }
    }
  }
}

function assertMissing({ isError, structuredContent }: Json, code: string): void {
  assertEquals([isError, structuredContent.error.code], [true, code]);
}
