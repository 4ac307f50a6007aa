// engines: embedded
/**
 * The document against the service: a client that knows only the document runs every operation's examples.
 * `openapi_refusal_test.ts` has the restrictions. On PostgreSQL `client_contract_test.ts` runs the examples.
 */

import { assert, assertEquals } from "@std/assert";
import type { ApiDocument, Operation } from "../support/api_document.ts";
import { proofFor } from "./examples.ts";
import {
  assertRefused,
  exampleOf,
  isClosed,
  isDone,
  LAST,
  makeFor,
  makeThings,
  namedFor,
  openWorld,
  parametersOf,
  readDocument,
  signIn,
  withLegacyRecord,
} from "./openapi.ts";

Deno.test("The document holds every route with its permission, and nothing else", async () => {
  await using world = await openWorld();
  const api = await readDocument(world);
  const documented = api.operations.map(({ method, path, source }) =>
    [`${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`, source["x-permission"]] as const
  );
  const served = world.app.routes.map((route) =>
    [`${route.method} ${route.path}`, route.access === "public" ? null : route.permission] as const
  );
  assertEquals(documented.sort(), served.sort());
});

Deno.test("Every operation has a unique name, every reference resolves, every schema is used", async () => {
  await using world = await openWorld();
  const api = await readDocument(world);
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

Deno.test("Every operation accepts its example and answers as the document says", async () => {
  await using world = await openWorld();
  const api = await readDocument(world);
  const owner = await signIn(world, api);
  // Later accounts are younger.
  world.advance(1);
  const reads = api.operations.filter(({ method }) => method === "GET");
  // Reads name a first revision, which everything has.
  const standing = {
    ...await makeThings(world, api, owner, reads.flatMap(parametersOf)),
    revision: "1",
  };
  const ordered = [
    ...api.operations.filter(({ id }) => !LAST.includes(id)),
    ...LAST.map((id) => api.operation(id)),
  ];
  for (const operation of ordered) {
    // Unique or non-overlapping objects cannot be made twice from one example.
    const isAlone = operation.method !== "GET" &&
      /^(identity|taxonomy|second_factor|account|import)\./.test(operation.id);
    const caller = isAlone ? await world.createCaller() : owner;
    const values = operation.method === "GET"
      ? await withLegacyRecord(world, owner, operation, standing)
      : await makeFor(world, api, caller, operation);
    const { query = {}, body } = await namedFor(
      world,
      caller,
      operation,
      exampleOf(api, operation, values),
    );
    const headers = await proofFor(world, { operation: operation.id }, caller);
    const response = await api.call(operation, caller, values, body, { headers, ...query });
    api.assertAllows(operation, response);
    if (operation.id === "auth.setup") {
      assertRefused(api, operation, response, "SETUP_CLOSED", operation.id);
    } else if (isClosed(operation)) assertEquals(response.status, 410, operation.id);
    else assert(isDone(response), `${operation.id}: ${response.status} ${response.text}`);
  }
});

Deno.test("Exactly the writable modules accept their examples", async () => {
  await using world = await openWorld();
  const api = await readDocument(world);
  const caller = await signIn(world, api);
  const { attachmentId } = await makeThings(world, api, caller, ["attachmentId"]);
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
