/**
 * A model of one record by the contract, without SQL, HTTP or ids. It restates the commitment
 * module's rules, so that it can disagree with the service.
 */

import type { JsonObject } from "../../src/core/json.ts";
import type { Random } from "../support/random.ts";

export interface State {
  readonly title: string;
  readonly summary: string;
  readonly payload: JsonObject;
  readonly revision: number;
  readonly archived: boolean;
}

export interface Command {
  readonly kind: "modify" | "archive" | "restore";
  readonly body: JsonObject;
}

/** The response, and the state afterwards. */
export interface Prediction {
  readonly status: 200 | 400 | 409;
  readonly state: State;
}

const STATUSES = ["OPEN", "IN_PROGRESS", "COMPLETED", "BROKEN", "CANCELLED", "RENEGOTIATED"];
const REQUIRED = ["commitmentType", "content", "completionStatus"];
const PAST = "2026-01-01T00:00:00.000Z";

export function predict(state: State, { kind, body }: Command): Prediction {
  const conflicts = body.expectedRevision !== undefined && body.expectedRevision !== state.revision;
  if (kind !== "modify") {
    if (conflicts) return { status: 409, state };
    const archived = kind === "archive";
    return { status: 200, state: archived === state.archived ? state : next(state, { archived }) };
  }
  const patch = body.payload as JsonObject | undefined ?? {};
  const removed = body.payloadRemove as string[] | undefined ?? [];
  const payload = { ...state.payload, ...patch };
  for (const name of removed) delete payload[name];
  if (!isChange(body, patch, removed) || !isValid(payload)) return { status: 400, state };
  if (removed.some((name) => name in patch || REQUIRED.includes(name))) {
    return { status: 400, state };
  }
  if (conflicts) return { status: 409, state };
  const content = {
    title: body.title as string | undefined ?? state.title,
    summary: body.summary as string | undefined ?? state.summary,
    payload,
  };
  return { status: 200, state: isSame(state, content) ? state : next(state, content) };
}

function next(state: State, changes: Partial<State>): State {
  return { ...state, ...changes, revision: state.revision + 1 };
}

function isChange(body: JsonObject, patch: JsonObject, removed: readonly string[]): boolean {
  return "title" in body || "summary" in body || Object.keys(patch).length > 0 ||
    removed.length > 0;
}

function isValid({ completionStatus, completedAt, notes }: JsonObject): boolean {
  return STATUSES.includes(String(completionStatus)) && notes !== 7 &&
    (completedAt === undefined || completionStatus === "COMPLETED");
}

function isSame(state: State, content: Pick<State, "title" | "summary" | "payload">): boolean {
  const names = Object.keys({ ...state.payload, ...content.payload });
  return state.title === content.title && state.summary === content.summary &&
    names.every((name) => state.payload[name] === content.payload[name]);
}

/** May be refused, or change nothing. */
export function randomCommand(state: State, random: Random): Command {
  const expectedRevision = random.chance(0.5)
    ? {}
    : { expectedRevision: Math.max(1, state.revision + random.pick([0, 0, 0, -1, 1])) };
  if (random.chance(0.35)) {
    return { kind: random.pick(["archive", "restore"]), body: expectedRevision };
  }
  const patch = {
    ...(random.chance(0.4) && { completionStatus: random.pick([...STATUSES, "NO"]) }),
    ...(random.chance(0.3) && { completedAt: PAST }),
    ...(random.chance(0.3) && { notes: random.pick(["a", "b", random.text(0, 9), 7]) }),
  };
  const removable = ["completedAt", "notes", "counterparty", "content"];
  const body = {
    ...(random.chance(0.3) && { title: random.pick(["A", "B", random.text(1, 20)]) }),
    ...(random.chance(0.3) && { summary: random.pick(["", "\n", random.text(0, 20)]) }),
    ...(random.chance(0.7) && { payload: patch }),
    ...(random.chance(0.3) && { payloadRemove: [random.pick(removable)] }),
    ...expectedRevision,
  };
  return { kind: "modify", body };
}
