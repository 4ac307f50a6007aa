/** Which rows of an account have a Markdown file, where it lies, and which words stand in its text. */

import { CATALOG } from "../../catalog/catalog.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { LineType } from "../description.ts";
import { ATTACHMENTS } from "../lines/attachments.ts";
import {
  ANALYSES,
  COUNTERFACTUALS,
  DECISIONS,
  OUTCOMES,
  PREDICTIONS,
  SIMULATIONS,
} from "../lines/decision.ts";
import { LEGACY_PLANS, PROFILES, ROLES, SNAPSHOTS, STAGES } from "../lines/identity.ts";
import { DRAFTS, MEMORIES } from "../lines/memory.ts";
import { RECORDS } from "../lines/records.ts";
import {
  CONTACTS,
  EVALUATIONS,
  EVIDENCE,
  EXPERIENCES,
  PEOPLE,
  STATUS_EVENTS,
} from "../lines/relationship.ts";
import { RESOURCE_SNAPSHOTS, RESOURCES } from "../lines/resource.ts";
import { TERMS } from "../lines/taxonomy.ts";

/** How the rows of a type become files. */
export interface FileType {
  readonly lines: LineType;
  /** The folder of a row's file; null where the row has none, because another file holds it. */
  readonly folder: (row: JsonObject) => string | null;
  /** The member that the title is; null where rows have none. */
  readonly title: string | null;
  /** The members that stand in the text; all others stand in the front matter. */
  readonly texts: readonly string[];
  /** A member that is an object, and those of its own members that stand in the text. */
  readonly inner?: (row: JsonObject) => {
    readonly member: string;
    readonly texts: readonly string[];
  };
}

/** Memories' texts, in the order that they are read in. */
const MEMORY_TEXTS = ["summary", "originalContent", "currentContent", "aiDraft"];

/** The types in the order of an archive. */
export const FILE_TYPES: readonly FileType[] = [
  {
    lines: RECORDS,
    folder: ({ moduleCode }) => recordFolder(String(moduleCode)),
    title: "title",
    texts: ["summary"],
    inner: ({ moduleCode }) => ({ member: "payload", texts: longFields(String(moduleCode)) }),
  },
  files(MEMORIES, "memory", "title", MEMORY_TEXTS),
  {
    ...files(DRAFTS, "memory/drafts", null, []),
    inner: () => ({ member: "content", texts: MEMORY_TEXTS }),
  },
  {
    ...files(TERMS, "taxonomy", "name", ["description"]),
    folder: ({ kind }) => kind === "TAG" ? "taxonomy/tags" : "taxonomy/categories",
  },
  files(DECISIONS, "decision", "question", [
    ...["question", "rationale", "prediction", "actualOutcome"],
  ]),
  files(ANALYSES, "decision/analyses", null, []),
  files(PREDICTIONS, "decision/predictions", "statement", ["statement"]),
  files(OUTCOMES, "decision/outcomes", null, ["description"]),
  files(COUNTERFACTUALS, "decision/counterfactuals", "option", ["narrative"]),
  files(SIMULATIONS, "decision/simulations", null, []),
  files(PROFILES, "identity", "displayName", ["publicSummary", "biography"]),
  files(ROLES, "identity/roles", "role", ["reason"]),
  files(STAGES, "identity/stages", "title", ["note"]),
  files(SNAPSHOTS, "identity/snapshots", "label", ["publicSummary", "biography"]),
  files(LEGACY_PLANS, "identity/legacy-plan", null, [
    ...["recipientDescription", "releaseCondition", "instructions"],
  ]),
  files(PEOPLE, "relationship", "personName", ["opinion", "evidence", "counterEvidence"]),
  files(CONTACTS, "relationship/contacts", null, ["note"]),
  files(EXPERIENCES, "relationship/experiences", "title", ["narrative"]),
  files(EVIDENCE, "relationship/evidence", null, ["content"]),
  files(EVALUATIONS, "relationship/evaluations", null, ["text"]),
  files(STATUS_EVENTS, "relationship/status-events", null, ["reason"]),
  files(RESOURCES, "resource", "name", ["notes"]),
  files(RESOURCE_SNAPSHOTS, "resource/snapshots", null, ["note"]),
];

/** The types of lines that have no Markdown files, and why. */
export const TYPES_WITHOUT_FILES: Readonly<Record<string, string>> = {
  [ATTACHMENTS.type]: "they are files of their own",
  execution: "they tell what the service did, beside what came of it",
  assignment: "which record carries a term is for programs to join",
  comparison: "they name two sides that have files",
  legacyDrill: "they name a plan that has a file",
  contactControl: "they stand in the file of the contact",
  evidenceControl: "they stand in the file of the evidence",
  proposal: "what came of one is an evaluation",
  proposalEvent: "they are steps on the way to an evaluation",
  timelineEntry: "they name what has files",
};

function files(
  lines: LineType,
  folder: string,
  title: string | null,
  texts: readonly string[],
): FileType {
  return { lines, folder: () => folder, title, texts };
}

/** Records of dedicated modules are projections of what has a file; identity's are from before it had. */
function recordFolder(moduleCode: string): string | null {
  if (moduleCode === "identity") return "identity/records";
  return CATALOG.module(moduleCode)?.entry === "GENERIC" ? moduleCode : null;
}

function longFields(moduleCode: string): string[] {
  const fields = CATALOG.module(moduleCode)?.fields ?? [];
  return fields.filter(({ edit }) => edit === "textarea").map(({ name }) => name);
}

/** The object in a row that has texts of its own. */
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
