/**
 * The document against the service: its routes, references and modules. `openapi_refusal_test.ts`
 * has the restrictions, and `client_contract_test.ts` runs every operation's examples.
 */

import { assert, assertEquals } from "@std/assert";
import { ApiDocument, type Operation } from "../support/api_document.ts";
import { LIMITS } from "./assistants.ts";
import { EXAMPLE_SERVICES } from "./examples.ts";
import { makeThings, readDocument } from "./openapi.ts";
import { section, table } from "../support/chapters.ts";
import { callApp, type Json, sharedWorld } from "../support/world.ts";
import { STEP_UP_PURPOSES } from "../../src/access/step_up.ts";

const world = sharedWorld(EXAMPLE_SERVICES);
const DOCUMENT = "/api/v2/openapi.json";

Deno.test("The document holds every route with its permission, and nothing else", async () => {
  const api = await readDocument(world());
  const documented = api.operations.map(({ method, path, source }) =>
    [`${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`, source["x-permission"]] as const
  );
  const served = world().app.routes.map((route) =>
    [`${route.method} ${route.path}`, route.access === "public" ? null : route.permission] as const
  );
  assertEquals(documented.sort(), served.sort());
});

Deno.test("Programs have one security scheme, which every protected operation accepts", async () => {
  const api = await readDocument(world());
  const schemes: [string, { readonly type: string }][] = Object.entries(
    api.source.components.securitySchemes,
  );
  assertEquals(schemes.map(([name, { type }]) => [name, type]), [
    ["bearer", "http"],
    ["sessionCookie", "apiKey"],
  ]);
  const bearer = { bearer: [] };
  const accepted = {
    public: [],
    assistant: [bearer],
    session: [bearer, { sessionCookie: [] }],
    credential: [bearer, { sessionCookie: [] }],
  };
  for (const { operation, access } of world().app.routes) {
    assertEquals(api.operation(operation).source.security, accepted[access], operation);
  }
});

Deno.test("The times that accept a zone have no format, and all others have one", async () => {
  const { body } = await callApp(world().again({ assistants: LIMITS }), "GET", DOCUMENT);
  const found = { zoned: 0, others: new Set<string>() };
  const search = (node: Json, name: string): void => {
    if (node === null || typeof node !== "object") return;
    if (String(node.pattern).startsWith("^\\d{4}-\\d{2}-\\d{2}[Tt]")) {
      const isZoned = new RegExp(node.pattern).test("2025-11-01T08:00:00+09:00[Asia/Tokyo]");
      assertEquals(node.format, isZoned ? undefined : "date-time", name);
      if (isZoned) found.zoned++;
      else found.others.add(name);
    }
    for (const [key, value] of Object.entries<Json>(node)) {
      search(value, key === "schema" ? node.name : key);
    }
  };
  search(body, "");
  assert(found.zoned > 40, `${found.zoned}`);
  assertEquals([...found.others].sort(), [
    "createdFrom",
    "createdTo",
    "expiresAt",
    "from",
    "onDay",
    "since",
    "to",
    "until",
    "updatedFrom",
    "updatedTo",
  ]);
});

/** By component. */
const LOCAL_TIMES: Readonly<Record<string, readonly string[]>> = {
  Decision: ["decidedAt", "reviewAt"],
  DecisionOutcome: ["observedAt"],
  DecisionOutcomeRevision: ["observedAt"],
  DecisionPrediction: ["dueAt"],
  DecisionPredictionRevision: ["dueAt"],
  DecisionRevision: ["decidedAt", "reviewAt"],
  Memory: ["occurredAt"],
  MemorySlice: ["occurredAt"],
  MemoryTextRevision: ["occurredAt"],
  Person: ["lastContactAt"],
  PersonContact: ["contactedAt"],
  PersonExperience: ["occurredAt"],
  PersonRevision: ["lastContactAt"],
  PersonTimelineEntry: ["occurredAt"],
  Profile: ["startedAt", "endedAt"],
  ProfileRevision: ["startedAt", "endedAt"],
  RedactedMemory: [],
  RedactedMemoryRevision: [],
  ResourceSnapshot: ["observedAt"],
  Role: ["changedAt"],
  Snapshot: ["asOf", "startedAt", "endedAt"],
  Stage: ["startedAt", "endedAt"],
  StageRevision: ["startedAt", "endedAt"],
};

Deno.test("localTimes lists the component's own times, none of them required", async () => {
  const { source } = await readDocument(world());
  const found: Record<string, readonly string[]> = {};
  const open: string[] = [];
  for (const [name, schema] of Object.entries<Json>(source.components.schemas)) {
    const { localTimes } = schema.properties ?? {};
    if (localTimes === undefined) continue;
    assert(schema.required.includes("localTimes"), name);
    if (localTimes.additionalProperties === false) {
      assertEquals(localTimes.required, [], name);
      found[name] = Object.keys(localTimes.properties);
    } else {
      open.push(name);
    }
  }
  assertEquals(open, ["Record", "RecordRevision"]);
  assertEquals(found, LOCAL_TIMES);
});

Deno.test("Operations that need a proof name its purpose, and the chapter lists them", async () => {
  const app = world().again({ assistants: LIMITS });
  const response = await callApp(app, "GET", DOCUMENT);
  const api = new ApiDocument(response.body);
  const routes = new Map<string, string[]>(STEP_UP_PURPOSES.map((purpose) => [purpose, []]));
  for (const { method, path, source } of api.operations) {
    const hasHeader = source.parameters.some((each: Json) => each.$ref?.endsWith("/Step-Up-Proof"));
    assertEquals("x-step-up" in source, hasHeader, path);
    const shown = path.replace("/api/v2", "");
    if (hasHeader) routes.get(source["x-step-up"])?.push(`\`${method} ${shown}\``);
  }
  const rows = table(section("src/accounts/README.md", "Proofs"));
  assertEquals(
    rows.map(([purpose, , paths]) => [purpose, (paths ?? "").split(", ").sort()]),
    Array.from(routes, ([purpose, paths]) => [`\`${purpose}\``, paths.sort()]),
  );
});

Deno.test("Each 401 says how to authenticate, and nothing else does", async () => {
  const app = world().again({ assistants: LIMITS });
  const api = new ApiDocument((await callApp(app, "GET", DOCUMENT)).body);
  for (const { id, source } of api.operations) {
    for (const [status, { headers = {} }] of Object.entries<Json>(source.responses)) {
      assertEquals("WWW-Authenticate" in headers, status === "401", `${id} ${status}`);
    }
  }
});

Deno.test("Every operation has a unique name, every reference resolves, every schema is used", async () => {
  const api = await readDocument(world());
  const ids = api.operations.map(({ id }) => id);
  assertEquals(new Set(ids).size, ids.length);
  const text = JSON.stringify(api.source);
  const references = new Set(
    Array.from(text.matchAll(/"\$ref":"([^"]+)"/g), ([, target]) => target ?? ""),
  );
  for (const reference of references) api.follow({ $ref: reference });
  for (const kind of ["schemas", "parameters", "headers"]) {
    for (const name of Object.keys(api.source.components[kind])) {
      assert(references.has(`#/components/${kind}/${name}`), name);
    }
  }
});

/** Suffixes that generators append to the name of an operation for its parts. */
const PARTS = ["", "Body", "Data", "Error", "Errors", "Headers", "Params", "Path", "Query"]
  .concat("Request", "Response", "Responses", "Result", "Variables");

/** As a generator writes a name: without separators, in any case. */
const generated = (name: string) => name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();

Deno.test("No schema has the name that generators make of another schema or an operation", async () => {
  const api = await readDocument(world());
  const schemas = Object.keys(api.source.components.schemas);
  const operations = api.operations.flatMap(({ id }) => PARTS.map((part) => `${id}${part}`));
  const taken = [...new Set(schemas), ...new Set(operations.map(generated))].map(generated);
  const twice = schemas.filter((name) =>
    taken.filter((each) => each === generated(name)).length > 1
  );
  assertEquals(twice, []);
});

Deno.test("Exactly the writable modules accept their examples", async () => {
  const api = await readDocument(world());
  const caller = await world().createCaller();
  const { attachmentId } = await makeThings(world(), api, caller, ["attachmentId"]);
  const create = api.operation("record.create");
  const examples = new Map(api.examples(create));
  const [moduleCode] = create.parameters.filter(({ name }) => name === "moduleCode");
  for (const code of moduleCode.schema.enum) {
    const values = { moduleCode: code };
    const example = examples.get(code);
    if (example === undefined) {
      const response = await api.call(create, caller, values, examples.get("commitment"));
      const dedicated = /^[A-Z_]+_DEDICATED_ENDPOINT_REQUIRED$/.test(response.body.error.code);
      assert(dedicated, `${code}: ${response.text}`);
      api.assertAllows(create, response, code);
      continue;
    }
    // File references must exist.
    const { fileId } = example.payload;
    const body = fileId === undefined
      ? example
      : { ...example, payload: { ...example.payload, fileId: attachmentId } };
    const response = await api.call(create, caller, values, body);
    assertEquals(response.status, 201, `${code}: ${response.text}`);
    api.assertAllows(create, response, code);
    const { component, payload } = payloadSchema(api, create, code);
    assertEquals(api.violations(component, body), [], code);
    assertEquals(api.violations(payload, response.body.data.payload), [], code);
  }
});

/** Schemas of a creation and its payload. */
function payloadSchema(api: ApiDocument, create: Operation, moduleCode: string) {
  const component = api.bodySchema(create, { moduleCode });
  return { component, payload: api.follow(component.properties.payload) };
}
