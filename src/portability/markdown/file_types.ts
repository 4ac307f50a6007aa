/** Rows of an account that have a Markdown file, its path, and the members in its text. */

import { CATALOG } from "../../catalog/catalog.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { LineType } from "../description.ts";
import {
  ANALYSIS_LINES,
  COUNTERFACTUAL_LINES,
  DECISION_LINES,
  OUTCOME_LINES,
  PREDICTION_LINES,
  SIMULATION_LINES,
} from "../lines/decision.ts";
import {
  PROFILE_LINES,
  PROFILE_SNAPSHOT_LINES,
  RELEASE_PLAN_LINES,
  ROLE_LINES,
  STAGE_LINES,
} from "../lines/identity.ts";
import { DRAFT_LINES, MEMORY_LINES } from "../lines/memory.ts";
import { RECORD_LINES } from "../lines/records.ts";
import {
  CONTACT_LINES,
  DETAIL_LINES,
  EVALUATION_LINES,
  EVIDENCE_LINES,
  EXPERIENCE_LINES,
  PERSON_LINES,
  STATUS_EVENT_LINES,
} from "../lines/relationship.ts";
import { RESOURCE_LINES, RESOURCE_SNAPSHOT_LINES } from "../lines/resource.ts";
import { TERM_LINES } from "../lines/taxonomy.ts";

export interface FileType {
  readonly lines: LineType;
  /** Folder of the row's file; null if another file contains the row. */
  readonly folder: (row: JsonObject) => string | null;
  /** Member with the title; null if rows have none. */
  readonly title: string | null;
  /** Members in the text; all others are front matter. */
  readonly texts: readonly string[];
  /** A member that is an object, and its members in the text. */
  readonly inner?: (row: JsonObject) => {
    readonly member: string;
    readonly texts: readonly string[];
  };
}

/** In reading order. */
const MEMORY_TEXTS = ["summary", "originalContent", "currentContent", "aiDraft"];

/** In the order of an archive. */
export const FILE_TYPES: readonly FileType[] = [
  {
    lines: RECORD_LINES,
    folder: ({ moduleCode }) => recordFolder(String(moduleCode)),
    title: "title",
    texts: ["summary"],
    inner: ({ moduleCode }) => ({ member: "payload", texts: longFields(String(moduleCode)) }),
  },
  files(MEMORY_LINES, "memory", "title", MEMORY_TEXTS),
  {
    ...files(DRAFT_LINES, "memory/drafts", null, []),
    inner: () => ({ member: "content", texts: MEMORY_TEXTS }),
  },
  {
    ...files(TERM_LINES, "taxonomy", "name", ["description"]),
    folder: ({ kind }) => kind === "TAG" ? "taxonomy/tags" : "taxonomy/categories",
  },
  files(DECISION_LINES, "decision", "question", [
    "question",
    "rationale",
    "prediction",
    "actualOutcome",
  ]),
  files(ANALYSIS_LINES, "decision/analyses", null, []),
  files(PREDICTION_LINES, "decision/predictions", "statement", ["statement"]),
  files(OUTCOME_LINES, "decision/outcomes", null, ["description"]),
  files(COUNTERFACTUAL_LINES, "decision/counterfactuals", "option", ["narrative"]),
  files(SIMULATION_LINES, "decision/simulations", null, []),
  files(PROFILE_LINES, "identity", "displayName", ["publicSummary", "biography"]),
  files(ROLE_LINES, "identity/roles", "role", ["reason"]),
  files(STAGE_LINES, "identity/stages", "title", ["note"]),
  files(PROFILE_SNAPSHOT_LINES, "identity/snapshots", "label", ["publicSummary", "biography"]),
  files(RELEASE_PLAN_LINES, "identity/legacy-plan", null, [
    "recipientDescription",
    "releaseCondition",
    "instructions",
  ]),
  files(PERSON_LINES, "relationship", "personName", ["opinion", "evidence", "counterEvidence"]),
  files(CONTACT_LINES, "relationship/contacts", null, ["note"]),
  files(EXPERIENCE_LINES, "relationship/experiences", "title", ["narrative"]),
  files(EVIDENCE_LINES, "relationship/evidence", null, ["content"]),
  files(DETAIL_LINES, "relationship/details", null, ["note"]),
  files(EVALUATION_LINES, "relationship/evaluations", null, ["text"]),
  files(STATUS_EVENT_LINES, "relationship/status-events", null, ["reason"]),
  files(RESOURCE_LINES, "resource", "name", ["notes"]),
  files(RESOURCE_SNAPSHOT_LINES, "resource/snapshots", null, ["note"]),
];

function files(
  lines: LineType,
  folder: string,
  title: string | null,
  texts: readonly string[],
): FileType {
  return { lines, folder: () => folder, title, texts };
}

/**
 * Records of dedicated modules are projections of rows with files; those of identity are older than
 * its profile.
 */
function recordFolder(moduleCode: string): string | null {
  if (moduleCode === "identity") return "identity/records";
  return CATALOG.module(moduleCode)?.access === "GENERIC" ? moduleCode : null;
}

function longFields(moduleCode: string): string[] {
  const fields = CATALOG.module(moduleCode)?.fields ?? [];
  return fields.filter(({ edit }) => edit === "textarea").map(({ name }) => name);
}

export function innerObject(
  { inner }: FileType,
  row: JsonObject,
):
  | { readonly member: string; readonly texts: readonly string[]; readonly object: JsonObject }
  | null {
  const found = inner?.(row);
  const object = row[found?.member ?? ""];
  return found === undefined || !isJsonObject(object) ? null : { ...found, object };
}
