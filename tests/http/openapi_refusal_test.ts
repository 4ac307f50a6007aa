/**
 * The document's restrictions on bodies, parameters, callers and features. Rejections precede
 * writes, so one engine is enough.
 */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { CATALOG } from "../../src/catalog/catalog.ts";
import {
  type ApiDocument,
  type Operation,
  parametersIn,
  type Values,
} from "../support/api_document.ts";
import { mutationsOf } from "../support/mutations.ts";
import { type Caller, callerOf, type Json, sharedWorld } from "../support/world.ts";
import { givePassword } from "./access.ts";
import { EXAMPLE_SERVICES } from "./examples.ts";
import { assertRefused, exampleOf, isClosed, makeThings, readDocument } from "./openapi.ts";

const world = sharedWorld(EXAMPLE_SERVICES);

interface Stage {
  readonly api: ApiDocument;
  readonly caller: Caller;
  /** An existing id for each path parameter; the tests never change these things. */
  readonly standing: Values;
}

let made: Promise<Stage> | undefined;

function stage(): Promise<Stage> {
  return made ??= (async () => {
    const api = await readDocument(world());
    const caller = await world().createCaller();
    await givePassword(world(), caller);
    return { api, caller, standing: await makeThings(world(), api, caller) };
  })();
}

Deno.test("Every operation rejects each body that the document rejects", async () => {
  const { api, caller, standing } = await stage();
  for (const operation of api.operations) {
    const schema = api.bodySchema(operation, standing);
    if (schema === null) continue;
    const example = exampleOf(api, operation, standing);
    assertEquals(api.violations(schema, example), [], operation.id);
    const broken = mutationsOf(schema, example, (value) => api.follow(value))
      .filter(({ body }) => api.violations(schema, body).length > 0);
    assert(broken.length > 0, operation.id);
    for (const { label, body } of broken) {
      const response = await api.call(operation, caller, standing, body);
      assertRefused(api, operation, response, "PAYLOAD_INVALID", `${operation.id} ${label}`);
    }
  }
});

Deno.test("Every operation rejects each parameter that the document rejects", async () => {
  const { api, caller, standing } = await stage();
  for (const operation of api.operations.filter((each) => !isClosed(each))) {
    const body = exampleOf(api, operation, standing);
    const undeclared = operation.path.startsWith("/calendar/") ? [] : ["?undeclared=1"];
    for (const query of [...undeclared, ...brokenQueries(operation)]) {
      const response = await api.call(operation, caller, standing, body, { query });
      assertRefused(api, operation, response, "PAYLOAD_INVALID", `${operation.id}${query}`);
    }
    for (const { name, upTo } of parametersIn(operation.path)) {
      const values = { ...standing, [upTo]: "no-such-thing" };
      const response = await api.call(operation, caller, values, body);
      const code = UNKNOWN_NAMES[name] ?? "PAYLOAD_INVALID";
      assertRefused(api, operation, response, code, `${operation.id} ${name}`);
    }
  }
});

/** Answers to names that are not identifiers. */
const UNKNOWN_NAMES: Readonly<Record<string, string>> = {
  slug: "RECORD_NOT_FOUND",
  moduleCode: "RECORD_MODULE_NOT_FOUND",
  featureId: "FEATURE_NOT_FOUND",
  secret: "HTTP_404",
  name: "HTTP_404",
};

/** One parameter in an invalid form each. */
function brokenQueries(operation: Operation): string[] {
  const formed = operation.parameters.filter(({ in: place, schema }) =>
    place === "query" && (schema.enum ?? schema.pattern ?? schema.minimum) !== undefined
  );
  return formed.flatMap(({ name }) => [`?${name}=`, `?${name}=%20`, `?${name}=1&${name}=1`]);
}

Deno.test("Every operation rejects calls without a key", async () => {
  const { api, caller, standing } = await stage();
  for (const operation of api.operations) {
    const body = exampleOf(api, operation, standing);
    const isKey = ({ name }: Json) => name === "Idempotency-Key";
    if (!operation.parameters.some((each) => isKey(each) && each.required)) continue;
    const parameters = operation.parameters.filter((each) => !isKey(each));
    const response = await api.call({ ...operation, parameters }, caller, standing, body);
    assertRefused(api, operation, response, "RECORD_IDEMPOTENCY_KEY_REQUIRED", operation.id);
  }
});

Deno.test("Every feature route of the shipped catalog rejects with a documented code", async () => {
  const { api, caller: { accountId, sessionId, secret } } = await stage();
  const shipped = world().again({ catalog: CATALOG, executors: {} });
  const caller = callerOf(shipped, { accountId, sessionId, secret });
  const operation = api.operation("record.feature");
  for (const { code, features } of CATALOG.modules) {
    for (const { id } of features) {
      const values = { moduleCode: code, featureId: id, recordId: ulid() };
      const response = await api.call(operation, caller, values, {});
      assert(response.status === 400 || response.status === 501, `${id}: ${response.text}`);
      api.assertAllows(operation, response, id);
    }
  }
});
