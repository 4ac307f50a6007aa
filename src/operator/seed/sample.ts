/** Types of the sample life (`src/operator/seed/demo/`). `changes` are later revisions. */

import { DAY_MS } from "../../core/clock.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";

/** Values that a sample may refer to: past and future times, and earlier samples. */
export interface Life {
  /** Whole days before today, at an hour of UTC. */
  ago(days: number, hour?: number): string;
  /** Whole days after today, at an hour of UTC. */
  ahead(days: number, hour?: number): string;
  /**
   * Identifier of an earlier sample, by its name: `action/Run a half marathon`, `snapshot/Before
   * the half marathon`, or a file's name.
   */
  id(name: string): string;
  /** Replaces each `{ago …}`, `{ahead …}` and `{id …}`. */
  fill(body: JsonObject): JsonObject;
}

/** Fields to set. */
interface SampleChange {
  readonly title?: string;
  readonly payload: JsonObject;
}

export interface SampleRecord {
  readonly moduleCode: string;
  readonly title: string;
  readonly summary?: string;
  readonly payload: JsonObject;
  readonly changes?: readonly SampleChange[];
  readonly archived?: boolean;
}

export interface SampleFile {
  readonly filename: string;
  readonly mediaType: string;
  readonly text: string;
}

export type SampleMemory = JsonObject & { readonly title: string };

/** A decision and everything below it: bodies of their creation. */
export interface SampleDecision {
  readonly name: string;
  readonly decision: JsonObject;
  readonly analyses?: readonly JsonObject[];
  readonly simulations?: readonly JsonObject[];
  readonly predictions?: readonly SamplePrediction[];
  readonly counterfactuals?: readonly JsonObject[];
  readonly changes?: readonly JsonObject[];
  /** Outcomes without a prediction. */
  readonly outcomes?: readonly JsonObject[];
  readonly archived?: boolean;
}

interface SamplePrediction {
  readonly prediction: JsonObject;
  readonly outcome?: JsonObject;
}

export interface SampleStage {
  readonly stage: JsonObject;
  readonly changes?: readonly JsonObject[];
  readonly archived?: boolean;
}

export interface SampleResource {
  readonly name: string;
  readonly resource: JsonObject;
  /** Oldest first. */
  readonly snapshots?: readonly JsonObject[];
  readonly changes?: readonly JsonObject[];
  readonly archived?: boolean;
}

export interface SamplePerson {
  readonly name: string;
  readonly person: JsonObject;
  readonly details?: readonly JsonObject[];
  readonly contacts?: readonly { readonly contact: JsonObject; readonly retracted?: boolean }[];
  readonly experiences?: readonly JsonObject[];
  /** Evidence, and whether it supersedes the previous one. */
  readonly evidence?: readonly { readonly evidence: JsonObject; readonly supersedes?: boolean }[];
  readonly changes?: readonly JsonObject[];
  /** Whether an evaluation is then proposed and confirmed. */
  readonly evaluated?: boolean;
  /** Final moves, in order. */
  readonly moves?: readonly SampleMove[];
}

export interface SampleMove {
  readonly to: "ACTIVE" | "PAUSED" | "SEALED" | "ARCHIVED" | "RESTORED";
  readonly reason?: string;
}

/** Each part is the body of its creation. */
export interface SampleIdentity {
  readonly profile: JsonObject;
  /** In the order of their entry. */
  readonly roles: readonly JsonObject[];
  /** Changes after the roles. */
  readonly changes: readonly JsonObject[];
  readonly stages: readonly SampleStage[];
  /** Each is later named `snapshot/` and its label. */
  readonly snapshots: readonly JsonObject[];
  readonly comparisons: readonly JsonObject[];
}

interface SampleTerm {
  /** Unique among all sample terms. */
  readonly name: string;
  /** Body of its creation without the name. */
  readonly term?: JsonObject;
  /** Records that carry it, by name: `action/Run a half marathon`. */
  readonly records?: readonly string[];
}

export interface SampleTag extends SampleTerm {
  /** Its later name; the former one becomes an alias. */
  readonly renamed?: string;
  readonly deactivated?: boolean;
}

interface SampleCategory extends SampleTerm {
  /** The parent comes first. */
  readonly parent?: string;
}

export interface SampleTaxonomy {
  readonly tags: readonly SampleTag[];
  readonly categories: readonly SampleCategory[];
}

/** `ids` may be filled later. */
export function lifeAt(now: Date, ids: ReadonlyMap<string, string>): Life {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const moment = (days: number, hour: number) =>
    new Date(midnight + days * DAY_MS + hour * 3_600_000).toISOString();
  const life: Life = {
    ago: (days, hour = 9) => moment(-days, hour),
    ahead: (days, hour = 9) => moment(days, hour),
    id(name) {
      const id = ids.get(name);
      if (id === undefined) throw new Error(`The sample life has not made "${name}" yet`);
      return id;
    },
    fill: (body) => JSON.parse(JSON.stringify(body), (_, value) => fillText(life, value)),
  };
  return life;
}

const REFERENCE = /^\{(ago|ahead|id) (.+)\}$/;

function fillText(life: Life, value: JsonValue): JsonValue {
  if (typeof value !== "string") return value;
  const [, kind, rest = ""] = REFERENCE.exec(value) ?? [];
  if (kind === "id") return life.id(rest);
  if (kind !== "ago" && kind !== "ahead") return value;
  const [days = 0, hour] = rest.split(" ").map(Number);
  return life[kind](days, hour);
}
