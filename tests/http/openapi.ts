/** A client that uses only the OpenAPI document's examples. */

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
import { IMPORT_FIRST, plannedIn } from "./imports.ts";
import { LEGACY_MAKERS, legacyParameter } from "./legacy.ts";
import { PASSKEY_FIRST } from "./passkey.ts";
import { SECOND_FACTOR_FIRST } from "./second_factor.ts";
import { TAXONOMY_MAKERS, TAXONOMY_NAMED } from "../families/taxonomy/api.ts";

/** Every operation can succeed. */
export async function openWorld(): Promise<World> {
  return await createWorld({
    catalog: catalogWith({ "CMT-001": { status: "implemented_local", strategy: "analyze" } }),
    executors: { analyze: () => ({ said: "done" }) },
  });
}

/** Creates the object that a parameter names. */
interface Maker {
  /** Operations in order, after those of `of`. */
  readonly by: readonly string[];
  readonly of?: string;
  /** Its identifier's name in responses; by default the parameter's. */
  readonly shownAs?: string;
  /** Later actions of the service, and the resulting names. */
  readonly then?: (world: World, made: Json) => Promise<Values>;
}

/** By parameter; by the path up to it if another family uses the name. */
const MAKERS: Readonly<Record<string, Maker>> = {
  recordId: { by: ["record.create"] },
  auditId: { by: ["audit.list"], of: "recordId" },
  attachmentId: { by: ["attachment.create", "attachment.thumbnail.put"] },
  tokenId: { by: ["token.create"] },
  passkeyId: { by: ["passkey.register"] },
  feedId: { by: ["calendar.feed.create"] },
  secret: {
    by: ["calendar.feed.create"],
    then(_world, { address }) {
      const [secret = "", name = ""] = String(address).split("/calendar/")[1]?.split("/") ?? [];
      return Promise.resolve({ secret, name });
    },
  },
  // With a draft, for two operations.
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
  importId: {
    by: ["import.create"],
    async then(world, { importId }) {
      await plannedIn(world, importId);
      return {};
    },
  },
  personId: { by: ["relationship.person.create"] },
  experienceId: { by: ["relationship.experience.create"], of: "personId" },
  contactId: { by: ["relationship.contact.create"], of: "personId" },
  evidenceId: { by: ["relationship.evidence.create"], of: "personId" },
  detailId: { by: ["relationship.detail.create"], of: "personId" },
  "/api/v2/relationship/exports/{executionId}": { by: ["relationship.export.create"] },
  // Ready for confirmation, with its person's current state.
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
  // The line of the person's first contact.
  entryId: { by: ["relationship.timeline.list"], of: "personId" },
  resourceId: { by: ["resource.create"] },
  "/api/v2/resource/resources/{resourceId}/snapshots/{snapshotId}": {
    by: ["resource.snapshot.create"],
    of: "resourceId",
  },
  "/api/v2/resource/overload-analyses/{executionId}": { by: ["resource.overload_analysis.create"] },
  "/api/v2/resource/exports/{executionId}": { by: ["resource.export.create"] },
};
/** Prerequisites on the objects of another operation. */
const FIRST: Readonly<Record<string, string>> = {
  "relationship.person.restore": "relationship.person.archive",
};
/** They end the session that the others use. */
export const LAST = ["password.change", "auth.logout"];

export async function readDocument(world: World): Promise<ApiDocument> {
  const response = await world.call("GET", "/api/v2/openapi.json");
  assertEquals(response.status, 200, response.text);
  assertEquals(response.headers.get("Content-Type"), "application/json; charset=utf-8");
  return new ApiDocument(response.body);
}

/** Sets up and signs in by the document's examples. */
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

/** Returns the names. */
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
      const { body } = await namedFor(world, caller, operation, exampleOf(api, operation, values));
      const headers = await proofFor(world, { operation: id }, caller);
      const response = await api.call(operation, caller, values, body, { headers });
      assert(isDone(response), `${id}: ${response.text}`);
      const { data } = response.body;
      // The first item of a list.
      const named = namesIn(operation.method === "GET" ? data.items[0] : data);
      const [, name] = /\{(\w+)\}$/.exec(parameter) ?? [];
      // Objects for one path leave the name to others.
      values = name === undefined
        ? { ...values, ...named, ...(named[shownAs] && { [parameter]: named[shownAs] }) }
        : { ...named, ...values, [parameter]: named[name] ?? "" };
      if (then !== undefined) values = { ...values, ...await then(world, data) };
    }
  };
  for (const parameter of parameters) await make(parameter);
  return { ...values, sessionId: await otherSession(api, caller) };
}

/** Objects for one operation only. */
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

/** Writes of version 1 are always refused. */
export function isClosed({ source }: Operation): boolean {
  return Object.keys(source.responses).every((status) => Number(status) >= 400);
}

/** Names a record of the operation's module, for reads of version 1. */
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

/** Includes prerequisites. */
export function parametersOf(operation: Operation): string[] {
  const named = parametersIn(operation.path).map(({ name, upTo }) => upTo in MAKERS ? upTo : name);
  return [...unnamedNeeds(operation), ...named];
}

/** Objects that the query or example must name. */
export async function namedFor(
  world: World,
  caller: Caller,
  { method, path }: Operation,
  example: Json | undefined,
): Promise<{ readonly query?: { readonly query: string }; readonly body: Json | undefined }> {
  const route = `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
  const first = SECOND_FACTOR_FIRST[route] ?? PASSKEY_FIRST[route] ?? IMPORT_FIRST[route];
  const { body = example } = await first?.(world, caller) ?? {};
  const make = TAXONOMY_NAMED[route];
  if (make === undefined) return { body };
  const named = await make(caller, () => TAXONOMY_MAKERS.tagId(caller));
  return method === "GET"
    ? { query: { query: `?${new URLSearchParams(named)}` }, body: example }
    : { body: { ...example, ...named } };
}

/** Another session of the account: the set-up's, which may have ended. */
async function otherSession(api: ApiDocument, { call, sessionId }: Caller): Promise<string> {
  const operation = api.operation("session.list");
  const response = await api.call(operation, { call }, {}, undefined);
  const other = response.body.data.items.find((each: Json) => each.sessionId !== sessionId);
  return other?.sessionId ?? sessionId;
}

/** Identifiers, slug and revision. */
function namesIn(data: Json): Values {
  const named = Object.entries<Json>(data).filter(([name, value]) =>
    value !== null && (name.endsWith("Id") || name === "revision" || name === "slug")
  );
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}

/** The operation's example, or the module's, adapted to the objects. */
export function exampleOf(
  api: ApiDocument,
  operation: Operation,
  values: Values,
): Json | undefined {
  const examples = api.examples(operation);
  // Imports have an example for each format.
  const names = [values.moduleCode, "markdown"];
  const [, body] = examples.find(([name]) => names.includes(name)) ?? examples[0] ?? [];
  if (body === undefined) return undefined;
  const { expectedRevision, slug } = body;
  return {
    ...body,
    ...(expectedRevision !== undefined && { expectedRevision: Number(values.revision) }),
    // Slugs are unique on the server.
    ...(slug !== undefined && { slug: newSlug() }),
  };
}

export function isDone({ status }: TestResponse): boolean {
  return status >= 200 && status < 300;
}

/** Documented failures only. */
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
