/** The types of the sample life, whose data is in `src/operator/seed/demo/`. */

import type { JsonObject, JsonValue } from "../../core/json.ts";

/** Values that a sample may refer to: past and future times, and earlier samples. */
export interface Life {
  /** A moment so many whole days before today, at an hour of UTC. */
  ago(days: number, hour?: number): string;
  /** A moment so many whole days after today, at an hour of UTC. */
  ahead(days: number, hour?: number): string;
  /**
   * The identifier of an earlier sample, by its name: `action/Run a half marathon`, `snapshot/Before the
   * half marathon`, or a file's name.
   */
  id(name: string): string;
  /** Replaces each `{ago …}`, `{ahead …}` and `{id …}` in a sample's body by its value. */
  fill(body: JsonObject): JsonObject;
}

/** A change of a sample: fields to set. */
export interface SampleChange {
  readonly title?: string;
  readonly payload: JsonObject;
}

/** A record of the sample life. */
export interface SampleRecord {
  readonly moduleCode: string;
  readonly title: string;
  readonly summary?: string;
  readonly payload: JsonObject;
  /** Its later revisions, in order. */
  readonly changes?: readonly SampleChange[];
  readonly archived?: boolean;
}

/** A file of the sample life. */
export interface SampleFile {
  readonly filename: string;
  readonly mediaType: string;
  readonly text: string;
}

/** A memory of the sample life: the body of its creation. */
export type SampleMemory = JsonObject & { readonly title: string };

/** A decision of the sample life, and everything below it: each the body of its creation. */
export interface SampleDecision {
  /** Its name for the routine. */
  readonly name: string;
  readonly decision: JsonObject;
  readonly analyses?: readonly JsonObject[];
  readonly simulations?: readonly JsonObject[];
  readonly predictions?: readonly SamplePrediction[];
  readonly counterfactuals?: readonly JsonObject[];
  /** Its later revisions, in order: fields to set. */
  readonly changes?: readonly JsonObject[];
  /** Outcomes without a prediction. */
  readonly outcomes?: readonly JsonObject[];
  readonly archived?: boolean;
}

/** A prediction, and its outcome if known. */
export interface SamplePrediction {
  readonly prediction: JsonObject;
  readonly outcome?: JsonObject;
}

/** A stage of the sample life. */
export interface SampleStage {
  readonly stage: JsonObject;
  /** Its later revisions, in order: fields to set. */
  readonly changes?: readonly JsonObject[];
  readonly archived?: boolean;
}

/** A resource of the sample life, and its snapshots: each the body of its creation. */
export interface SampleResource {
  /** The name that the resource has, and that the routine knows it by. */
  readonly name: string;
  readonly resource: JsonObject;
  /** Its measurements, the oldest first. */
  readonly snapshots?: readonly JsonObject[];
  /** Its later revisions, in order: fields to set. */
  readonly changes?: readonly JsonObject[];
  readonly archived?: boolean;
}

/** A person in the sample life, and the entries about them. */
export interface SamplePerson {
  /** The name that the person has, and that the routine knows it by. */
  readonly name: string;
  readonly person: JsonObject;
  readonly contacts?: readonly { readonly contact: JsonObject; readonly retracted?: boolean }[];
  readonly experiences?: readonly JsonObject[];
  /** Evidence, and whether it supersedes the one before it. */
  readonly evidence?: readonly { readonly evidence: JsonObject; readonly supersedes?: boolean }[];
  /** Its revisions after these, in order: fields to set. */
  readonly changes?: readonly JsonObject[];
  /** Whether an evaluation of it is proposed and confirmed then. */
  readonly evaluated?: boolean;
  /** Its moves at last, in order. */
  readonly moves?: readonly SampleMove[];
}

/** A move of a person's status. */
export interface SampleMove {
  readonly to: "ACTIVE" | "PAUSED" | "SEALED" | "ARCHIVED" | "RESTORED";
  readonly reason?: string;
}

/** The identity of the sample life: each part is the body of its creation. */
export interface SampleIdentity {
  readonly profile: JsonObject;
  /** In the order in which they are entered. */
  readonly roles: readonly JsonObject[];
  /** The profile's revisions after the roles, in order: fields to set. */
  readonly changes: readonly JsonObject[];
  readonly stages: readonly SampleStage[];
  /** Each has the name `snapshot/` and its label from then on. */
  readonly snapshots: readonly JsonObject[];
  readonly comparisons: readonly JsonObject[];
}

/** A tag or a category of the sample life. */
export interface SampleTerm {
  /** Unique among the terms of the sample life, of any kind. */
  readonly name: string;
  /** The body of its creation besides its name. */
  readonly term?: JsonObject;
  /** The records that carry it, by their names: `action/Run a half marathon`. */
  readonly records?: readonly string[];
}

/** A tag of the sample life. */
export interface SampleTag extends SampleTerm {
  /** Its later name; the former one becomes an alias. */
  readonly renamed?: string;
  readonly deactivated?: boolean;
}

/** A category of the sample life. */
export interface SampleCategory extends SampleTerm {
  /** The name of its parent, which comes before it. */
  readonly parent?: string;
}

/** The tags and categories of the sample life. */
export interface SampleTaxonomy {
  readonly tags: readonly SampleTag[];
  readonly categories: readonly SampleCategory[];
}

const DAY = 86_400_000;

/** The life at a given time, with the identifiers that `ids` will contain. */
export function lifeAt(now: Date, ids: ReadonlyMap<string, string>): Life {
  const midnight = Math.floor(now.getTime() / DAY) * DAY;
  const moment = (days: number, hour: number) =>
    new Date(midnight + days * DAY + hour * 3_600_000).toISOString();
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
