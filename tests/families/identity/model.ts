/** A model of stages, roles and the profile's current role. */

import type { Random } from "../../support/random.ts";

/** A stage between years' beginnings; open without an end. */
export interface ModelStage {
  readonly from: number;
  readonly to: number | null;
  readonly isArchived: boolean;
  readonly revision: number;
}

export interface ModelRole {
  readonly year: number;
  readonly role: string;
  /** The one that began with it. */
  readonly profileRevision: number | null;
}

/** Stages and roles in order of creation. */
export interface Model {
  readonly revision: number;
  readonly currentRole: string | null;
  readonly stages: readonly ModelStage[];
  readonly roles: readonly ModelRole[];
}

export const NEW_MODEL: Model = { revision: 1, currentRole: null, stages: [], roles: [] };

interface Period {
  readonly from: number;
  readonly to: number | null;
}

export type Command =
  | { readonly kind: "add" } & Period
  | { readonly kind: "move"; readonly at: number; readonly expected: number } & Period
  | { readonly kind: "archive" | "restore"; readonly at: number; readonly expected: number | null }
  | { readonly kind: "enter"; readonly year: number; readonly role: string }
  | { readonly kind: "name"; readonly role: string; readonly expected: number };

/** The status or error code, and the state afterwards. */
export interface Prediction {
  readonly outcome: string;
  readonly model: Model;
}

const YEARS = 12;

/** Mostly feasible; sometimes expects another revision. */
export function randomCommand(model: Model, random: Random): Command {
  const { pick, integer, chance } = random;
  const period = (): Period => {
    const from = integer(0, YEARS);
    return { from, to: chance(0.2) ? null : from + integer(0, 3) };
  };
  const role = pick(["Baker", "Poet", "Rower"]);
  const expecting = (revision: number) => chance(0.1) ? revision + 1 : revision;
  if (model.stages.length > 0 && chance(0.5)) {
    const at = integer(0, model.stages.length - 1);
    const { revision } = stageAt(model, at);
    if (chance(0.4)) return { kind: "move", at, expected: expecting(revision), ...period() };
    const expected = chance(0.5) ? null : expecting(revision);
    return { kind: pick(["archive", "restore"]), at, expected };
  }
  switch (integer(0, 3)) {
    case 0:
      return { kind: "enter", year: integer(0, YEARS), role };
    case 1:
      return { kind: "name", role, expected: expecting(model.revision) };
    default:
      return { kind: "add", ...period() };
  }
}

function stageAt({ stages }: Model, at: number): ModelStage {
  const stage = stages[at];
  if (stage === undefined) throw new RangeError("The model has no such stage");
  return stage;
}

export function predict(model: Model, command: Command): Prediction {
  const refused = (outcome: string): Prediction => ({ outcome, model });
  switch (command.kind) {
    case "add": {
      const { from, to } = command;
      const stage = { from, to, isArchived: false, revision: 1 };
      if (isReversed(stage)) return refused("PAYLOAD_INVALID");
      if (overlapsOthers(model.stages, stage)) return refused("IDENTITY_STATE_CONFLICT");
      return { outcome: "201", model: { ...model, stages: [...model.stages, stage] } };
    }
    case "move":
    case "archive":
    case "restore":
      return predictStage(model, command);
    case "enter":
      return { outcome: "201", model: withRole(model, command) };
    case "name": {
      const { role, expected } = command;
      if (expected !== model.revision) return refused("REVISION_CONFLICT");
      if (model.roles.length > 0) return refused("IDENTITY_STATE_CONFLICT");
      if (role === model.currentRole) return refused("200");
      return {
        outcome: "200",
        model: { ...model, revision: model.revision + 1, currentRole: role },
      };
    }
  }
}

function predictStage(
  model: Model,
  command: Extract<Command, { readonly at: number }>,
): Prediction {
  const before = stageAt(model, command.at);
  if (command.expected !== null && command.expected !== before.revision) {
    return { outcome: "REVISION_CONFLICT", model };
  }
  const next = { ...before, revision: before.revision + 1, ...changeOf(command) };
  const isSame = next.from === before.from && next.to === before.to &&
    next.isArchived === before.isArchived;
  if (isSame) return { outcome: "200", model };
  if (isReversed(next)) return { outcome: "PAYLOAD_INVALID", model };
  const others = model.stages.toSpliced(command.at, 1);
  if (!next.isArchived && overlapsOthers(others, next)) {
    return { outcome: "IDENTITY_STATE_CONFLICT", model };
  }
  return { outcome: "200", model: { ...model, stages: model.stages.with(command.at, next) } };
}

function changeOf(command: Extract<Command, { readonly at: number }>): Partial<ModelStage> {
  return command.kind === "move"
    ? { from: command.from, to: command.to }
    : { isArchived: command.kind === "archive" };
}

function isReversed({ from, to }: Period): boolean {
  return to !== null && to <= from;
}

function overlapsOthers(others: readonly ModelStage[], { from, to }: Period): boolean {
  return others.some((other) =>
    !other.isArchived && from < (other.to ?? Infinity) && other.from < (to ?? Infinity)
  );
}

function withRole(
  model: Model,
  { year, role }: Extract<Command, { readonly kind: "enter" }>,
): Model {
  const isNewest = model.roles.every((other) => other.year <= year);
  const revision = isNewest ? model.revision + 1 : model.revision;
  const entered = { year, role, profileRevision: isNewest ? revision : null };
  return {
    ...model,
    revision,
    currentRole: isNewest ? role : model.currentRole,
    roles: [...model.roles, entered],
  };
}
