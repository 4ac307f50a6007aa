/** Random commands, predicted by the identity model. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Game, type ModelRun, playModel } from "../support/play_model.ts";
import { type Caller, callerOf, type Json, type TestResponse } from "../support/world.ts";
import {
  introduce,
  patch,
  PROFILE,
  roleBody,
  ROLES,
  stageBody,
  STAGES,
} from "../families/identity/api.ts";
import {
  type Command,
  type Model,
  type ModelRole,
  NEW_MODEL,
  predict,
  randomCommand,
} from "../families/identity/model.ts";
import { walkPages } from "./kernel.ts";
import { post, read } from "../families/memory/api.ts";

const FIRST_YEAR = 2000;

Deno.test("Stages, roles and the profile match their model under random commands", async () => {
  const met = await playModel({ runs: 2, steps: 50, begin });
  assertEquals([...met].sort(), [
    "200",
    "201",
    "IDENTITY_STATE_CONFLICT",
    "PAYLOAD_INVALID",
    "REVISION_CONFLICT",
  ]);
});

/** Begins with one caller at two processes. */
async function begin({ world, random, met }: Game): Promise<ModelRun> {
  const caller = await world.createCaller();
  const callers = [caller, callerOf(world.again(), caller)];
  await introduce(caller);
  let model = NEW_MODEL;
  let steps = 0;
  const stageIds: string[] = [];
  return {
    async step(step) {
      // Entries within one millisecond have an order too.
      world.advance(random.pick([0, 0, 1, 1000]));
      const command = randomCommand(model, random);
      const label = `${step}: ${JSON.stringify([model, command])}`;
      const prediction = predict(model, command);
      const response = await send(random.pick(callers), command, stageIds);
      const outcome = response.body.error?.code ?? String(response.status);
      assertEquals(outcome, prediction.outcome, `${label} ${response.text}`);
      met.add(outcome);
      if (command.kind === "add" && outcome === "201") stageIds.push(response.body.data.stageId);
      model = prediction.model;
      steps++;
      if (steps % 10 === 0) await assertState(caller, model, stageIds, label);
    },
    finish: () => assertHistory(caller, model, stageIds),
  };
}

function send(
  caller: Caller,
  command: Command,
  stageIds: readonly string[],
): Promise<TestResponse> {
  switch (command.kind) {
    case "add":
      return post(caller, STAGES, bodyOf(command));
    case "move": {
      const { startedAt = null, endedAt } = bodyOf(command);
      const change = endedAt === undefined
        ? { set: { startedAt }, remove: ["endedAt"] }
        : { set: { startedAt, endedAt } };
      const path = `${STAGES}/${stageIds[command.at]}`;
      return patch(caller, path, { expectedRevision: command.expected, ...change });
    }
    case "archive":
    case "restore": {
      const { kind, at, expected } = command;
      const path = `${STAGES}/${stageIds[at]}/${kind}`;
      return expected === null
        ? caller.call("POST", path, { key: ulid() })
        : post(caller, path, { expectedRevision: expected });
    }
    case "enter":
      return post(caller, ROLES, roleBody(FIRST_YEAR + command.year, command.role));
    case "name": {
      const set = { currentRole: command.role };
      return patch(caller, PROFILE, { expectedRevision: command.expected, set });
    }
  }
}

function bodyOf({ from, to }: { from: number; to: number | null }) {
  return stageBody(FIRST_YEAR + from, to === null ? undefined : FIRST_YEAR + to);
}

async function assertState(
  caller: Caller,
  model: Model,
  stageIds: readonly string[],
  label: string,
): Promise<void> {
  const { revision, currentRole } = await read(caller, PROFILE);
  assertEquals([revision, currentRole], [model.revision, model.currentRole], label);
  for (const [at, stageId] of stageIds.entries()) {
    const stage = await read(caller, `${STAGES}/${stageId}`);
    const expected = model.stages[at];
    assertEquals(
      [yearOf(stage.startedAt), yearOf(stage.endedAt), stage.archivedAt !== null, stage.revision],
      [expected?.from, expected?.to, expected?.isArchived, expected?.revision],
      label,
    );
  }
  const roles = (await walkPages(caller, ROLES, { limit: "7" })).flat();
  assertEquals(roles.map(toModel), newestFirst(model.roles), label);
}

function toModel({ changedAt, role, profileRevision }: Json): ModelRole {
  return { year: yearOf(changedAt) ?? 0, role, profileRevision };
}

/** Later entries first at equal times. */
function newestFirst(roles: readonly ModelRole[]): ModelRole[] {
  return roles.toReversed().toSorted((one, other) => other.year - one.year);
}

function yearOf(time: string | null): number | null {
  return time === null ? null : new Date(time).getUTCFullYear() - FIRST_YEAR;
}

/** No revision is missing. */
async function assertHistory(
  caller: Caller,
  model: Model,
  stageIds: readonly string[],
): Promise<void> {
  const numbers = (count: number | undefined) =>
    Array.from({ length: count ?? 0 }, (_, at) => (count ?? 0) - at);
  const revisionsOf = async (path: string) =>
    (await walkPages(caller, `${path}/revisions`)).flat().map(({ revision }) => revision);
  assertEquals(await revisionsOf(PROFILE), numbers(model.revision));
  for (const [at, stageId] of stageIds.entries()) {
    const expected = numbers(model.stages[at]?.revision);
    assertEquals(await revisionsOf(`${STAGES}/${stageId}`), expected);
  }
}
