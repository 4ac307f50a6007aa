/** Random commands, predicted by the taxonomy model. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { type Game, type ModelRun, playModel } from "../support/play_model.ts";
import { type Caller, callerOf, type Json } from "../support/world.ts";
import { assertFailure, walkPages } from "./kernel.ts";
import { read } from "../families/memory/api.ts";
import {
  ASSIGNMENTS,
  carrying,
  CATEGORIES,
  EXPORTS,
  makeRecord,
  TAGS,
  termPath,
  TREE,
  USAGE,
} from "../families/taxonomy/api.ts";
import {
  type Command,
  type KnownTerm,
  levelOf,
  type Model,
  type ModelTerm,
  predict,
  randomCommand,
  RECORDS,
} from "../families/taxonomy/model.ts";

/** A caller at two processes, with records and terms. */
interface Run {
  readonly callers: readonly [Caller, Caller];
  readonly records: readonly Json[];
  readonly shown: Json[];
  model: Model;
}

Deno.test("Terms match their model under random commands, with their whole history", async () => {
  const met = await playModel({ runs: 1, steps: 180, begin });
  assertEquals([...met].sort(), [
    ..."PAYLOAD_INVALID RECORD_NOT_FOUND REVISION_CONFLICT".split(" "),
    ..."TAXONOMY_CATEGORY_CYCLE TAXONOMY_CATEGORY_DEPTH_EXCEEDED".split(" "),
    ..."TAXONOMY_CATEGORY_NAME_CONFLICT TAXONOMY_CATEGORY_PARENT_INVALID".split(" "),
    ..."TAXONOMY_STATE_CONFLICT TAXONOMY_TAG_NAME_CONFLICT".split(" "),
    ..."assign create deactivate merge move patch reactivate remove rename".split(" "),
  ]);
});

async function begin({ world, random, met }: Game): Promise<ModelRun> {
  const caller = await world.createCaller();
  const records = [];
  for (let index = 0; index < RECORDS; index++) records.push(await makeRecord(caller));
  const callers = [caller, callerOf(world.again(), caller)] as const;
  const run: Run = { callers, records, shown: [], model: [] };
  let steps = 0;
  return {
    async step(label) {
      world.advance(1);
      const command = randomCommand(random, run.model);
      met.add(await carryOut(run, random.pick(callers), command, label));
      steps++;
      if (steps % 30 === 0) await assertWhole(run);
    },
    finish: () => assertHistories(run),
  };
}

/** Compares the response with the prediction. */
async function carryOut(
  run: Run,
  caller: Caller,
  command: Command,
  label: string,
): Promise<string> {
  const [method, path, body] = requestOf(run, command);
  const response = await caller.call(method, path, { key: ulid(), body });
  const predicted = predict(run.model, command);
  if (typeof predicted === "string") {
    assertFailure(response, predicted, `${label}: ${JSON.stringify(command)}`);
    return predicted;
  }
  assert(response.status < 300, `${label}: ${JSON.stringify(command)}: ${response.text}`);
  if (command.kind === "create") run.shown.push(response.body.data);
  run.model = predicted;
  if (!("record" in command)) {
    const at = command.kind === "create" ? predicted.length - 1 : command.at;
    assertEquals(ofService(response.body.data), ofModel(run, at), label);
  }
  return command.kind;
}

type Request = readonly [method: string, path: string, body: JsonObject];

function requestOf({ shown, records }: Run, command: Command): Request {
  const idOf = (at: number) => shown[at].termId;
  const parentId = (parent: number | null) => parent === null ? null : idOf(parent);
  if (command.kind === "create") {
    const { term: { kind, name, aliases }, parent } = command;
    const below = parent === null ? {} : { parentId: idOf(parent) };
    return ["POST", kind === "TAG" ? TAGS : CATEGORIES, { name, aliases: [...aliases], ...below }];
  }
  const term = shown[command.at];
  if ("record" in command) {
    const path = command.kind === "assign" ? ASSIGNMENTS : `${ASSIGNMENTS}/remove`;
    return ["POST", path, carrying(term, records[command.record])];
  }
  const path = termPath(term, command.kind === "patch" ? "" : `/${command.kind}`);
  const expected = command.revision === null ? {} : { expectedRevision: command.revision };
  switch (command.kind) {
    case "patch":
      return ["PATCH", path, { ...expected, set: { aliases: [...command.aliases] } }];
    case "rename":
      return ["POST", path, { ...expected, name: command.name, keepAlias: command.keepAlias }];
    case "move":
      return ["POST", path, { ...expected, parentId: parentId(command.parent) }];
    case "merge":
      return ["POST", path, { ...expected, intoId: idOf(command.into) }];
    default:
      return ["POST", path, expected];
  }
}

/** The model's term in the service's form. */
function ofModel({ shown, model }: Run, at: number): Json {
  const { term, revisions } = model[at] as KnownTerm;
  return { ...ofTerm(shown, term), termId: shown[at].termId, revision: revisions.length };
}

function ofTerm(shown: readonly Json[], { parent, mergedInto, ...term }: ModelTerm): Json {
  const idOf = (at: number | null) => at === null ? null : shown[at].termId;
  return { ...term, parentId: idOf(parent), mergedInto: idOf(mergedInto) };
}

/** The service's term in the model's form. */
function ofService(shown: Json): Json {
  const { termId, kind, name, aliases, active, parentId, mergedInto, revision } = shown;
  return { termId, kind, name, aliases, active, parentId, mergedInto, revision };
}

/** Compares all current reads. */
async function assertWhole(run: Run): Promise<void> {
  const { callers: [caller], model, shown, records } = run;
  const all = model.map((_, at) => ofModel(run, at));
  for (const [path, kind] of [[TAGS, "TAG"], [CATEGORIES, "CATEGORY"]] as const) {
    const listed = (await walkPages(caller, path, { inactive: "include", limit: "7" })).flat();
    assertEquals(listed.map(ofService), all.filter((term) => term.kind === kind).toReversed());
  }
  const nodes = flat((await read(caller, `${TREE}?inactive=include`)).items);
  const levels = model.flatMap(({ term }, at) =>
    term.kind === "CATEGORY" ? [[shown[at].termId, levelOf(model, at)]] : []
  );
  assertEquals(nodes.map(({ termId, depth }) => [termId, depth]).sort(), levels.sort());
  const used = (await walkPages(caller, USAGE, { inactive: "include" })).flat();
  assertEquals(
    used.map(({ termId, direct, total }) => [termId, direct, total]),
    model.flatMap((known, at) =>
      known.term.mergedInto === null
        ? [[shown[at].termId, known.records.size, recordsUpTo(model, at).size]]
        : []
    ).toReversed(),
  );
  for (const [index, { recordId, moduleCode }] of records.entries()) {
    const carried = (await walkPages(caller, ASSIGNMENTS, { moduleCode, recordId })).flat();
    const expected = model.flatMap(({ records }, at) =>
      records.has(index) ? [shown[at].termId] : []
    );
    assertEquals(carried.map(({ termId }) => termId).sort(), expected.sort());
  }
  const { count, terms } = await read(caller, EXPORTS);
  assertEquals([count, terms.length], [used.length, used.length]);
}

/** Lists the nodes without their order. */
function flat(nodes: Json[]): Json[] {
  return nodes.flatMap((node) => [node, ...flat(node.children)]);
}

/** Includes the records of descendants. */
function recordsUpTo(model: Model, at: number): ReadonlySet<number> {
  return model.reduce(
    (all, { term }, other) => term.parent === at ? all.union(recordsUpTo(model, other)) : all,
    (model[at] as KnownTerm).records,
  );
}

/** Compares every revision. */
async function assertHistories({ callers: [caller], model, shown }: Run): Promise<void> {
  for (const [at, { revisions }] of model.entries()) {
    const listed = (await walkPages(caller, termPath(shown[at], "/revisions"))).flat();
    assertEquals(
      listed.map((each) => ({ ...ofService(each), change: each.change })),
      revisions.map(([change, term], index) => ({
        ...ofTerm(shown, term),
        termId: shown[at].termId,
        revision: index + 1,
        change,
      })).toReversed(),
    );
  }
}
