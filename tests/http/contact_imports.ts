/** Runs the imports of cases of contacts, and checks their results. */

import { assert, assertEquals } from "@std/assert";
import { PEOPLE } from "../families/relationship/api.ts";
import { read } from "../families/memory/api.ts";
import type { Caller, Json, World } from "../support/world.ts";
import { checkEach, checkMembers, type Checks, isPart, refuseOthers } from "./case_checks.ts";
import { IMPORTS, ran, settled, upload } from "./imports.ts";
import { walkPages } from "./kernel.ts";

interface Step {
  readonly format: string;
  readonly file: string;
  readonly name?: string;
  readonly duplicates?: Json;
  readonly expect: Json;
}

interface Case {
  readonly world: Pick<World, "advance">;
  readonly caller: Caller;
  readonly folder: URL;
}

interface Imported {
  readonly caller: Caller;
  readonly row: Json;
  readonly items: readonly Json[];
  /** The items of each import of the case, this one's too. */
  readonly all: readonly (readonly Json[])[];
}

/** Runs imports in their order. The clock moves before each, so that identifiers ascend. */
export async function runImports(of: Case, steps: readonly Step[]): Promise<void> {
  const all: (readonly Json[])[] = [];
  await checkEach(async ({ world, caller }: Case, step: Step) => {
    refuseOthers(step, ["format", "file", "name", "duplicates", "expect"]);
    world.advance(1);
    const row = await runStep(of, step);
    const path = `${IMPORTS}/${row.importId}/items`;
    const items = (await walkPages(caller, path, { limit: "100" })).flat();
    all.push(items);
    await checkMembers(CHECKS, { caller, row, items, all }, { state: "DONE", ...step.expect });
  })(of, steps);
}

async function runStep({ caller, folder }: Case, step: Step): Promise<Json> {
  const { format, file, name, duplicates } = step;
  const bytes = await Deno.readFile(new URL(file, folder));
  const query = { keepOriginal: "false", ...(name !== undefined && { name }) };
  const sent = await upload(caller, format, bytes, query);
  assertEquals(sent.status, 201, sent.text);
  const { importId } = sent.body.data;
  let plan = await settled(caller, importId);
  if (duplicates !== undefined) {
    const mapping = { body: { duplicates } };
    const put = await caller.call("PUT", `${IMPORTS}/${importId}/mapping`, mapping);
    assertEquals(put.status, 200, put.text);
    plan = await settled(caller, importId);
  }
  return plan.state === "PLANNED" ? await ran(caller, plan) : plan;
}

const CHECKS: Checks<Imported> = {
  state: ({ row }, expected) => assertEquals(row.state, expected),
  refusal: ({ row }, expected) => assertEquals(row.refusal?.rule, expected),
  outcomes: ({ items }, expected) => assertEquals(items.map(({ outcome }) => outcome), expected),
  keys: ({ items }, expected) => assertEquals(items.map(({ key }) => key), expected),
  rules: ({ items }, expected) => {
    const rules = items.map(({ rules }) => rules.toSorted());
    assertEquals(rules, expected.map((each: string[]) => each.toSorted()));
  },
  told: (imported, expected) => {
    const told = toldNames(imported);
    for (const name of expected) assert(told.includes(name), `no ${name} among ${told}`);
  },
  notTold: (imported, expected) => {
    const told = toldNames(imported);
    for (const name of expected) assert(!told.includes(name), `${name} among ${told}`);
  },
  unmapped: ({ row }, expected) => {
    const counts = row.unmapped.filter(({ name }: Json) => Object.hasOwn(expected, name))
      .map(({ name, count }: Json) => [name, count]);
    assertEquals(Object.fromEntries(counts), expected);
  },
  people: async ({ caller, items }, expected) => {
    const people = items.filter(({ target }) => target === "person");
    assertEquals(people.length, expected.length, "people");
    await checkEach(assertPerson)(
      caller,
      expected.map((each: Json, index: number) => ({
        personId: people[index].recordId,
        expected: each,
      })),
    );
  },
  records: async ({ caller }, expected) => {
    for (const { target, ...part } of expected) {
      const records = (await walkPages(caller, `/api/v2/records/${target}`)).flat();
      assertPart(part, records.map(({ title, payload }) => ({ title, payload })));
    }
  },
  communities: async ({ caller, items }, expected) => {
    const found = items.filter(({ target }) => target === "community");
    const communities = await Promise.all(found.map(({ recordId }) => membersOf(caller, recordId)));
    assertEquals(
      communities,
      expected.map(({ members, ...others }: Json) => {
        refuseOthers(others, []);
        return { members: members.toSorted() };
      }),
    );
  },
  sameAs: ({ items, all }, expected) => {
    const recordIds = expected.map((place: string | null, index: number) => {
      if (place === null) return items[index]?.recordId;
      const [step = 0, item = 0] = place.split("/").map(Number);
      return all[step - 1]?.[item - 1]?.recordId ?? `no item ${place}`;
    });
    assertEquals(items.map(({ recordId }) => recordId), recordIds);
  },
};

/** The names among rules and uninterpreted parts. */
function toldNames({ row, items }: Imported): string[] {
  const rules = row.rules.map(({ rule }: Json) => rule);
  return [
    ...rules,
    ...items.flatMap((item) => item.rules),
    ...row.unmapped.map(({ name }: Json) => name),
  ];
}

async function membersOf(caller: Caller, recordId: string): Promise<Json> {
  const { payload } = await read(caller, `/api/v2/records/community/${recordId}`);
  const people = await Promise.all(
    (payload.memberIds ?? []).map((id: string) => read(caller, `${PEOPLE}/${id}`)),
  );
  return { members: people.map(({ personName }) => personName).toSorted() };
}

function assertPart(part: Json, values: readonly Json[]): void {
  const shown = () => values.map((value) => JSON.stringify(value)).join("\n");
  assert(
    values.some((value) => isPart(part, value)),
    `no ${JSON.stringify(part)} among\n${shown()}`,
  );
}

interface Known {
  readonly caller: Caller;
  readonly path: string;
}

async function assertPerson(caller: Caller, { personId, expected }: Json): Promise<void> {
  if (Object.keys(expected).length === 0) return;
  assert(personId !== null, "The item did not come in");
  await checkMembers(PERSON_CHECKS, { caller, path: `${PEOPLE}/${personId}` }, expected);
}

const PERSON_CHECKS: Checks<Known> = {
  name: async ({ caller, path }, expected) => {
    assertEquals((await read(caller, path)).personName, expected);
  },
  status: async ({ caller, path }, expected) => {
    assertEquals((await read(caller, path)).status, expected);
  },
  details: async (known, expected) => {
    const details = await oldestFirst(known, "details");
    const shown = details.map(({ kind, value, label, note }) => ({ kind, value, label, note }));
    for (const part of expected) assertPart(part, shown);
  },
  only: async (known, expected) => {
    const details = await oldestFirst(known, "details");
    const values = Object.keys(expected).map((kind) => {
      return [kind, details.filter((detail) => detail.kind === kind).map(({ value }) => value)];
    });
    assertEquals(Object.fromEntries(values), expected);
  },
  notes: async (known, expected) => {
    const notes = (await oldestFirst(known, "experiences")).filter(({ title }) => title === "Note");
    assertEquals(notes.map(({ narrative }) => narrative), expected);
  },
  experiences: async (known, expected) => {
    const experiences = await oldestFirst(known, "experiences");
    assertEquals(experiences.map(({ title, narrative }) => [title, narrative]), expected);
  },
  channels: async (known, expected) => {
    const contacts = await oldestFirst(known, "contacts");
    assertEquals(contacts.map(({ channel }) => channel).toSorted(), expected.toSorted());
  },
  card4: (known, expected) => assertCard(known, "4.0", expected),
  card3: (known, expected) => assertCard(known, "3.0", expected),
};

/** The live entries of a ledger. */
async function oldestFirst({ caller, path }: Known, ledger: string): Promise<Json[]> {
  return (await walkPages(caller, `${path}/${ledger}`, { limit: "100" })).flat().toReversed();
}

async function assertCard({ caller, path }: Known, version: string, expected: Json): Promise<void> {
  const { status, text } = await caller.call("GET", `${path}/vcard?version=${version}`);
  assertEquals(status, 200, text);
  const card = text.replaceAll("\r\n ", "").split("\r\n").map(ungrouped);
  await checkMembers(CARD_CHECKS, card, expected);
}

interface CardLine {
  readonly group: string | null;
  /** Without the group. */
  readonly line: string;
}

function ungrouped(text: string): CardLine {
  const [, group = null, line = ""] = /^(?:([A-Za-z0-9-]+)\.)?(.*)$/s.exec(text) ?? [];
  return { group, line };
}

const CARD_CHECKS: Checks<readonly CardLine[]> = {
  has: (card, expected) => {
    for (const line of expected) {
      assert(groupsOf(card, line).length > 0, `no ${line} in\n${shownCard(card)}`);
    }
  },
  hasNot: (card, expected) => {
    for (const text of expected) {
      const isWhole = /:./.test(text);
      const found = card.filter(({ line }) =>
        isWhole ? inOrder(line) === inOrder(text) : line.startsWith(text)
      );
      assertEquals(found, [], text);
    }
  },
  groups: (card, expected) => {
    for (const lines of expected as readonly string[][]) {
      const groups = lines.map((line) => new Set(groupsOf(card, line)));
      const shared = groups.reduce((all, each) => all.intersection(each));
      const isShared = [...shared].some((group) => group !== null);
      assert(isShared, `no group of ${lines.join(" and ")} in\n${shownCard(card)}`);
    }
  },
};

function shownCard(card: readonly CardLine[]): string {
  return card.map(({ group, line }) => `${group === null ? "" : `${group}.`}${line}`).join("\n");
}

/** The group of each line of a card that equals the expected one. */
function groupsOf(card: readonly CardLine[], expected: string): (string | null)[] {
  const wanted = inOrder(ungrouped(expected).line);
  return card.filter(({ line }) => inOrder(line) === wanted).map(({ group }) => group);
}

/** A line with sorted parameters and types, these in lower case. */
function inOrder(line: string): string {
  const [, head = line, value = ""] = /^((?:"[^"]*"|[^":])*):(.*)$/s.exec(line) ?? [];
  const [name = "", ...parameters] = head.match(/(?:"[^"]*"|[^";])+/g) ?? [];
  const isType = (parameter: string) => /^TYPE=/i.test(parameter);
  const types = parameters.filter(isType)
    .flatMap((parameter) => parameter.slice(5).replaceAll('"', "").toLowerCase().split(","));
  const others = parameters.filter((parameter) => !isType(parameter)).toSorted();
  return `${
    [name, ...others, ...types.toSorted().map((type) => `TYPE=${type}`)].join(";")
  }:${value}`;
}
