/** What a client that knows the OpenAPI document alone makes and calls, by the document's examples. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { issueSetupToken } from "../../src/accounts/setup_routes.ts";
import { ApiDocument, type Operation, parametersIn, type Values } from "../support/api_document.ts";
import {
  type Caller,
  callerOf,
  createWorld,
  type Json,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { ready } from "../families/relationship/evaluation.ts";
import { proofFor } from "./examples.ts";
import { unnamedNeeds } from "../families/identity/api.ts";
import { newSlug } from "../families/identity/public.ts";
import { catalogWith } from "./kernel.ts";
import { LEGACY_MAKERS, legacyParameter } from "./legacy.ts";
import { SECOND_FACTOR_FIRST } from "./second_factor.ts";
import { TAXONOMY_MAKERS, TAXONOMY_NAMED } from "../families/taxonomy/api.ts";

/** A world in which every operation of the document can succeed. */
export async function openWorld(): Promise<World> {
  return await createWorld({
    catalog: catalogWith({ "CMT-001": { status: "implemented_local", strategy: "analyze" } }),
    executors: { analyze: () => ({ said: "done" }) },
  });
}

/** What makes the thing that a path's parameter names. */
interface Maker {
  /** Operations in their order, after those of `of`. */
  readonly by: readonly string[];
  readonly of?: string;
  /** What responses call its identifier; as the parameter is called unless given. */
  readonly shownAs?: string;
  /** What the service does with it of its own accord, and what that names. */
  readonly then?: (world: World, made: Json) => Promise<Values>;
}

/** By the parameter's name; by the path up to it where another family gives the name to something else. */
const MAKERS: Readonly<Record<string, Maker>> = {
  recordId: { by: ["record.create"] },
  auditId: { by: ["audit.list"], of: "recordId" },
  attachmentId: { by: ["attachment.create"] },
  tokenId: { by: ["token.create"] },
  // With a draft, which two of its operations response.
  memoryId: { by: ["memory.create", "memory.ai_draft.keep"] },
  sliceId: { by: ["memory.slice.create"], of: "memoryId" },
  draftId: { by: ["memory.draft.save"] },
  executionId: { by: ["memory.export.create"] },
  decisionId: { by: ["decision.create"] },
  analysisId: { by: ["decision.analysis.create"], of: "decisionId" },
  predictionId: { by: ["decision.prediction.create"], of: "decisionId" },
  outcomeId: { by: ["decision.outcome.create"], of: "decisionId" },
  counterfactualId: { by: ["decision.counterfactual.create"], of: "decisionId" },
  simulationId: { by: ["decision.simulation.create"], of: "decisionId" },
  profile: { by: ["identity.profile.create"] },
  stageId: { by: ["identity.stage.create"], of: "profile" },
  roleId: { by: ["identity.role.create"], of: "profile" },
  snapshotId: { by: ["identity.snapshot.create"], of: "profile" },
  comparisonId: { by: ["identity.comparison.create"], of: "profile" },
  slug: { by: ["identity.publication.publish"], of: "profile" },
  legacyPlan: { by: ["identity.legacy_plan.keep"], of: "profile" },
  drillId: { by: ["identity.legacy_drill.create"], of: "legacyPlan" },
  exportId: { by: ["account.export"] },
  personId: { by: ["relationship.person.create"] },
  experienceId: { by: ["relationship.experience.create"], of: "personId" },
  contactId: { by: ["relationship.contact.create"], of: "personId" },
  evidenceId: { by: ["relationship.evidence.create"], of: "personId" },
  // Ready, so that it can be confirmed: with its person as it then is.
  proposalId: {
    by: ["relationship.proposal.create"],
    of: "personId",
    async then(world, proposal) {
      assertEquals(await ready(world, proposal), "READY");
      return { revision: String(proposal.sourceRevision) };
    },
  },
  evaluationId: {
    by: ["relationship.proposal.confirm", "relationship.evaluation.list"],
    of: "proposalId",
  },
  tagId: { by: ["taxonomy.tag.create"], shownAs: "termId" },
  categoryId: { by: ["taxonomy.category.create"], shownAs: "termId" },
  // The line of the contact that the person begins with.
  entryId: { by: ["relationship.timeline.list"], of: "personId" },
  resourceId: { by: ["resource.create"] },
  "/api/v2/resource/resources/{resourceId}/snapshots/{snapshotId}": {
    by: ["resource.snapshot.create"],
    of: "resourceId",
  },
  "/api/v2/resource/overload-analyses/{executionId}": { by: ["resource.overload_analysis.create"] },
  "/api/v2/resource/exports/{executionId}": { by: ["resource.export.create"] },
};
/** Operations that must have happened to the things of another one. */
const FIRST: Readonly<Record<string, string>> = {
  "relationship.person.restore": "relationship.person.archive",
};
/** Operations that end what the others depend on. */
export const LAST = ["password.change", "auth.logout"];

export async function readDocument(world: World): Promise<ApiDocument> {
  const response = await world.call("GET", "/api/v2/openapi.json");
  assertEquals(response.status, 200, response.text);
  assertEquals(response.headers.get("Content-Type"), "application/json; charset=utf-8");
  return new ApiDocument(response.body);
}

/** Sets the service up, then signs in, both as the document's examples say. */
export async function signIn(world: World, api: ApiDocument): Promise<Caller> {
  const setupToken = await issueSetupToken(world.database, world.now());
  let caller: Caller | undefined;
  for (const id of ["auth.setup", "auth.login"]) {
    const operation = api.operation(id);
    const example = exampleOf(api, operation, {});
    const body = id === "auth.setup" ? { ...example, setupToken } : example;
    const response = await api.call(operation, world, {}, body);
    assert(isDone(response), response.text);
    api.assertAllows(operation, response);
    const { accessToken: secret, account, session } = response.body.data;
    caller = callerOf(world.app, { ...account, sessionId: session.sessionId, secret });
  }
  assert(caller !== undefined);
  return caller;
}

/** Makes one of each thing that some parameters name, and returns the names. */
export async function makeThings(
  world: World,
  api: ApiDocument,
  caller: Caller,
  parameters: Iterable<string> = Object.keys(MAKERS),
): Promise<Values> {
  let values: Values = { moduleCode: "commitment", featureId: "CMT-001", draftId: ulid() };
  const made = new Set<string>();
  const make = async (parameter: string): Promise<void> => {
    const { by = [], of, shownAs = parameter, then } = MAKERS[parameter] ?? {};
    if (of !== undefined) await make(of);
    if (made.has(parameter)) return;
    made.add(parameter);
    for (const id of by) {
      const operation = api.operation(id);
      const body = exampleOf(api, operation, values);
      const headers = await proofFor(world, { operation: id }, caller);
      const response = await api.call(operation, caller, values, body, { headers });
      assert(isDone(response), `${id}: ${response.text}`);
      const { data } = response.body;
      // Of a list the first item.
      const named = namesIn(operation.method === "GET" ? data.items[0] : data);
      const [, name] = /\{(\w+)\}$/.exec(parameter) ?? [];
      // What is made for a path leaves the name to the others.
      values = name === undefined
        ? { ...values, ...named, ...(named[shownAs] && { [parameter]: named[shownAs] }) }
        : { ...named, ...values, [parameter]: named[name] ?? "" };
      if (then !== undefined) values = { ...values, ...await then(world, data) };
    }
  };
  for (const parameter of parameters) await make(parameter);
  return { ...values, sessionId: await otherSession(api, caller) };
}

/** What an operation's path needs, made for it alone. */
export async function makeFor(
  world: World,
  api: ApiDocument,
  caller: Caller,
  operation: Operation,
): Promise<Values> {
  const values = await makeThings(world, api, caller, parametersOf(operation));
  const first = FIRST[operation.id];
  if (first === undefined) return values;
  const before = api.operation(first);
  const response = await api.call(before, caller, values, exampleOf(api, before, values));
  assert(isDone(response), `${first}: ${response.text}`);
  return { ...values, ...namesIn(response.body.data) };
}

/** Whether an operation can only be refused: a write of version 1. */
export function isClosed({ source }: Operation): boolean {
  return Object.keys(source.responses).every((status) => Number(status) >= 400);
}

/** The same with a record of the operation's own module, where it reads one of version 1. */
export async function withLegacyRecord(
  world: World,
  caller: Caller,
  { path }: Operation,
  values: Values,
): Promise<Values> {
  const { recordId: _, ...names } = values;
  const name = legacyParameter(path, "recordId");
  if (name === "recordId") return values;
  return { ...names, recordId: await LEGACY_MAKERS[name]?.(caller, null, world) ?? "" };
}

/** What an operation's path names, and what it needs besides. */
export function parametersOf(operation: Operation): string[] {
  const named = parametersIn(operation.path).map(({ name, upTo }) => upTo in MAKERS ? upTo : name);
  return [...unnamedNeeds(operation), ...named];
}

/** What an operation's query, or its example, must name, made for it. */
export async function namedFor(
  world: World,
  caller: Caller,
  { method, path }: Operation,
  example: Json | undefined,
): Promise<{ readonly query?: { readonly query: string }; readonly body: Json | undefined }> {
  const route = `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
  const { body = example } = await SECOND_FACTOR_FIRST[route]?.(world, caller) ?? {};
  const make = TAXONOMY_NAMED[route];
  if (make === undefined) return { body };
  const named = await make(caller, () => TAXONOMY_MAKERS.tagId(caller));
  return method === "GET"
    ? { query: { query: `?${new URLSearchParams(named)}` }, body: example }
    : { body: { ...example, ...named } };
}

/** A session of the account that is not the caller's: the set-up's, which may have ended. */
async function otherSession(api: ApiDocument, { call, sessionId }: Caller): Promise<string> {
  const operation = api.operation("session.list");
  const response = await api.call(operation, { call }, {}, undefined);
  const other = response.body.data.items.find((each: Json) => each.sessionId !== sessionId);
  return other?.sessionId ?? sessionId;
}

/** The identifiers in a response, its slug, and the revision that it shows. */
function namesIn(data: Json): Values {
  const named = Object.entries<Json>(data).filter(([name, value]) =>
    value !== null && (name.endsWith("Id") || name === "revision" || name === "slug")
  );
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}

/** An operation's example, or the one of the module; it meets the things as they are. */
export function exampleOf(
  api: ApiDocument,
  operation: Operation,
  values: Values,
): Json | undefined {
  const examples = api.examples(operation);
  const [, body] = examples.find(([name]) => name === values.moduleCode) ?? examples[0] ?? [];
  if (body === undefined) return undefined;
  const { expectedRevision, slug } = body;
  return {
    ...body,
    ...(expectedRevision !== undefined && { expectedRevision: Number(values.revision) }),
    // A slug is good for one owner on the whole server.
    ...(slug !== undefined && { slug: newSlug() }),
  };
}

export function isDone({ status }: TestResponse): boolean {
  return status >= 200 && status < 300;
}

/** Asserts a failure that the document allows. */
export function assertRefused(
  api: ApiDocument,
  operation: Operation,
  response: TestResponse,
  code: string,
  label: string,
): void {
  assertEquals(response.body?.error?.code, code, `${label}: ${response.status} ${response.text}`);
  api.assertAllows(operation, response, label);
}
