/** A model of one memory by the contract, without SQL, HTTP or ids. */

import type { JsonObject } from "../../../src/core/json.ts";
import type { Random } from "../../support/random.ts";

/** Common to model and memory. */
export interface State {
  readonly title: string;
  readonly currentContent: string;
  readonly importance: number | null;
  readonly timePrecision: string | null;
  readonly timeText: string | null;
  readonly aiDraft: string | null;
  readonly privacyLevel: string;
  readonly archived: boolean;
}

/** A memory by revision, with its slices' states. */
export interface Model {
  readonly revision: number;
  readonly state: State;
  readonly slices: readonly State[];
}

export interface Command {
  readonly kind:
    | "revisions"
    | "time"
    | "ai-draft"
    | "ai-draft/adopt"
    | "ai-draft/reject"
    | "privacy"
    | "archive"
    | "restore"
    | "slices"
    | "recover";
  readonly body: JsonObject & { readonly expectedRevision?: number };
  readonly withProof: boolean;
  /** The slice to restore. */
  readonly slice: number;
}

/** The response, and the model afterwards. */
export interface Prediction {
  readonly status: 200 | 201 | 403 | 409;
  readonly model: Model;
}

const LEVELS = ["NORMAL", "PRIVATE", "SECRET"];

export function predict(model: Model, command: Command): Prediction {
  const { body, kind } = command;
  const { state, slices } = model;
  if (kind === "slices") return { status: 201, model: { ...model, slices: [...slices, state] } };
  if (body.expectedRevision !== undefined && body.expectedRevision !== model.revision) {
    return { status: 409, model };
  }
  const lacksDraft = kind.startsWith("ai-draft/") && state.aiDraft === null;
  if (lacksDraft) return { status: 409, model };
  const lowers = kind === "privacy" &&
    LEVELS.indexOf(String(body.privacyLevel)) < LEVELS.indexOf(state.privacyLevel);
  if (lowers && !command.withProof) return { status: 403, model };
  const next = { ...state, ...changesOf(model, command) };
  const same = Object.entries(next).every(([name, value]) => value === state[name as keyof State]);
  const revision = model.revision + (same ? 0 : 1);
  return { status: 200, model: { revision, state: next, slices } };
}

function changesOf({ state, slices }: Model, { kind, body, slice }: Command): Partial<State> {
  const { expectedRevision: _, provider: __, confirm: ___, ...fields } = body;
  switch (kind) {
    case "revisions":
    case "ai-draft":
    case "privacy":
      return fields as Partial<State>;
    case "time":
      return { timePrecision: null, timeText: null, ...fields };
    case "ai-draft/adopt":
      return { currentContent: String(state.aiDraft), aiDraft: null };
    case "ai-draft/reject":
      return { aiDraft: null };
    case "archive":
    case "restore":
      return { archived: kind === "archive" };
    case "recover": {
      const { aiDraft: _, privacyLevel: __, archived: ___, ...frozen } = slices[slice] as State;
      return frozen;
    }
    case "slices":
      return {};
  }
}

const KINDS: readonly Command["kind"][] = [
  "revisions",
  "revisions",
  "time",
  "ai-draft",
  "ai-draft",
  "ai-draft/adopt",
  "ai-draft/reject",
  "privacy",
  "archive",
  "restore",
  "slices",
  "recover",
];

/** May be refused, or change nothing. */
export function randomCommand({ revision, slices }: Model, random: Random): Command {
  const kind = random.pick(slices.length > 0 ? KINDS : KINDS.filter((each) => each !== "recover"));
  const expectedRevision = Math.max(1, revision + random.pick([0, 0, 0, 0, 0, -1, 1]));
  const withProof = random.chance(0.4);
  const slice = Math.max(0, random.integer(0, slices.length - 1));
  const body = kind === "slices" ? { label: "A" } : { expectedRevision, ...bodyOf(kind, random) };
  return { kind, body, withProof, slice };
}

function bodyOf(kind: Command["kind"], random: Random): JsonObject {
  switch (kind) {
    case "revisions":
      return {
        title: random.pick(["A", "B", random.text(1, 20)]),
        ...(random.chance(0.5) && { currentContent: random.text(1, 40) }),
        ...(random.chance(0.5) && { importance: random.integer(1, 5) }),
      };
    case "time":
      return random.pick<JsonObject>([
        { timePrecision: "UNKNOWN" },
        { timePrecision: "YEAR", timeText: random.text(1, 9) },
        { timePrecision: "LIFE_PERIOD", timeText: "at school" },
      ]);
    case "ai-draft":
      return { aiDraft: random.pick(["One", random.text(1, 20)]), provider: "p" };
    case "ai-draft/adopt":
      return { confirm: true };
    case "privacy":
      return { privacyLevel: random.pick(LEVELS) };
    default:
      return {};
  }
}
