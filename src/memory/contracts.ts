/** The contracts of the memory routes. */

import type { JsonObject } from "../core/json.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { bodyOf, type Contract } from "../http/contract.ts";
import { PAGE_QUERY, pageOf } from "../http/page.ts";
import type { ObjectSchema } from "../validate/schema.ts";
import { DRAFT_SCHEMA } from "./draft.ts";
import { EXPORT_SCHEMA, LISTED_EXPORT_SCHEMA } from "./export_format.ts";
import { EXPORT_BODY } from "./export_schema.ts";
import {
  ADOPT_BODY,
  AI_DRAFT_BODY,
  COMMIT_BODY,
  DISCARD_BODY,
  DRAFT_BODY,
  DRAFTS_QUERY,
  EXPECTATION_BODY,
  LIST_QUERY,
  MOVE_BODY,
  PRIVACY_BODY,
  REVISE_BODY,
  SLICE_BODY,
  TEXT_BODY,
  TIME_BODY,
} from "./schema.ts";
import { SLICE_SCHEMA } from "./slice.ts";
import { MEMORY_REVISION_SCHEMA, MEMORY_SCHEMA } from "./view.ts";

const MEMORY: JsonObject = {
  title: "The lake",
  memoryType: "PLACE",
  originalContent: "We swam until the light was gone.",
};
const EXPECTED: JsonObject = { expectedRevision: 1 };

const FOUND: readonly ErrorCode[] = ["RECORD_NOT_FOUND"];
const CHANGED: readonly ErrorCode[] = ["RECORD_NOT_FOUND", "REVISION_CONFLICT"];

const ONE_MEMORY = { 200: { data: MEMORY_SCHEMA } } as const;

/** A change of a memory; the response is the memory. */
function change(
  summary: string,
  shape: ObjectSchema,
  example: JsonObject,
  ...errors: readonly ErrorCode[]
): Contract {
  return {
    summary,
    body: bodyOf(shape, example),
    responses: ONE_MEMORY,
    errors: [...CHANGED, ...errors],
  };
}

/** One contract for each endpoint of a memory itself. */
export const TEXT_CONTRACTS = {
  create: {
    summary: "Create a memory",
    body: bodyOf(TEXT_BODY, MEMORY),
    responses: { 201: { data: MEMORY_SCHEMA } },
    errors: ["SYSTEM_MAINTENANCE"],
  },
  list: {
    summary: "List the memories, newest first",
    query: LIST_QUERY,
    responses: { 200: { data: pageOf(MEMORY_SCHEMA) } },
    errors: [],
  },
  detail: { summary: "Read a memory", responses: ONE_MEMORY, errors: FOUND },
  archive: change("Archive a memory", MOVE_BODY, {}, "SYSTEM_MAINTENANCE"),
  restore: change("Restore an archived memory", MOVE_BODY, {}, "SYSTEM_MAINTENANCE"),
  revise: change("Revise a memory", REVISE_BODY, { ...EXPECTED, title: "The lake at dusk" }),
  keepAiDraft: change("Keep a model's draft beside the original", AI_DRAFT_BODY, {
    ...EXPECTED,
    aiDraft: "We swam until dusk.",
    provider: "A provider",
  }),
  adoptAiDraft: change(
    "Make the model's draft the current content",
    ADOPT_BODY,
    { ...EXPECTED, confirm: true },
    "MEMORY_STATE_CONFLICT",
  ),
  rejectAiDraft: change(
    "Drop the model's draft",
    EXPECTATION_BODY,
    EXPECTED,
    "MEMORY_STATE_CONFLICT",
  ),
  setTime: change("State when a memory happened", TIME_BODY, {
    ...EXPECTED,
    timePrecision: "YEAR",
    occurredAt: "1999-07-01T12:00:00+02:00",
  }),
  setPrivacy: {
    ...change(
      "Set who may see a memory; lowering takes a proof",
      PRIVACY_BODY,
      { ...EXPECTED, privacyLevel: "SECRET" },
      "STEP_UP_REQUIRED",
      "PRIVACY_DOWNGRADE_FORBIDDEN",
    ),
    headers: ["Step-Up-Proof"],
  },
} as const satisfies Record<string, Contract>;

/** One contract for each endpoint of a memory's revisions. */
export const REVISION_CONTRACTS = {
  listRevisions: {
    summary: "List the revisions of a memory, newest first",
    query: PAGE_QUERY,
    responses: { 200: { data: pageOf(MEMORY_REVISION_SCHEMA) } },
    errors: FOUND,
  },
  revision: {
    summary: "Read a memory exactly as it was at a revision",
    responses: { 200: { data: MEMORY_REVISION_SCHEMA } },
    errors: FOUND,
  },
} as const satisfies Record<string, Contract>;

/** One contract for each endpoint of slices. */
export const SLICE_CONTRACTS = {
  createSlice: {
    summary: "Freeze the present revision of a memory under a label",
    body: bodyOf(SLICE_BODY, { label: "Before the move" }),
    responses: { 201: { data: SLICE_SCHEMA } },
    errors: FOUND,
  },
  listSlices: {
    summary: "List the slices of a memory, newest first",
    query: PAGE_QUERY,
    responses: { 200: { data: pageOf(SLICE_SCHEMA) } },
    errors: FOUND,
  },
  slice: {
    summary: "Read a slice",
    responses: { 200: { data: SLICE_SCHEMA } },
    errors: FOUND,
  },
  recover: change("Go back to a slice, as a new revision", EXPECTATION_BODY, EXPECTED),
} as const satisfies Record<string, Contract>;

const ONE_DRAFT = { 200: { data: DRAFT_SCHEMA } } as const;

/** One contract for each endpoint of drafts. */
export const DRAFT_CONTRACTS = {
  saveDraft: {
    summary: "Save a draft under an identifier that the client makes",
    body: bodyOf(DRAFT_BODY, { draftVersion: 1, content: MEMORY }),
    responses: ONE_DRAFT,
    errors: ["RECORD_NOT_FOUND", "MEMORY_STATE_CONFLICT"],
  },
  listDrafts: {
    summary: "List the drafts in a state, newest first",
    query: DRAFTS_QUERY,
    responses: { 200: { data: pageOf(DRAFT_SCHEMA) } },
    errors: [],
  },
  draft: { summary: "Read a draft", responses: ONE_DRAFT, errors: FOUND },
  commitDraft: {
    summary: "Make one memory, or one revision of a memory, of a draft",
    body: bodyOf(COMMIT_BODY, {}),
    responses: { 200: { data: MEMORY_SCHEMA }, 201: { data: MEMORY_SCHEMA } },
    errors: [...CHANGED, "MEMORY_STATE_CONFLICT", "SYSTEM_MAINTENANCE"],
  },
  discardDraft: {
    summary: "Give up a draft, keeping its content",
    body: bodyOf(DISCARD_BODY, {}),
    responses: ONE_DRAFT,
    errors: ["RECORD_NOT_FOUND", "MEMORY_STATE_CONFLICT"],
  },
} as const satisfies Record<string, Contract>;

/** One contract for each endpoint of exports. */
export const EXPORT_CONTRACTS = {
  createExport: {
    summary: "Export memories, one part a call; what is SECRET takes a proof",
    body: bodyOf(EXPORT_BODY, { format: "JSON" }),
    headers: ["Step-Up-Proof"],
    responses: { 201: { data: EXPORT_SCHEMA } },
    errors: ["RECORD_NOT_FOUND", "STEP_UP_REQUIRED"],
  },
  listExports: {
    summary: "List the exports that were made, newest first",
    query: PAGE_QUERY,
    responses: { 200: { data: pageOf(LISTED_EXPORT_SCHEMA) } },
    errors: [],
  },
  export: {
    summary: "Describe an export that was made",
    responses: { 200: { data: LISTED_EXPORT_SCHEMA } },
    errors: FOUND,
  },
} as const satisfies Record<string, Contract>;
