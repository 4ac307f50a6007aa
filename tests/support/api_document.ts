/** A client that knows only the service's OpenAPI document. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject, JsonValue } from "../../src/core/json.ts";
import { EMPTY_ACCOUNT } from "./account_file.ts";
import { violationsOf } from "./json_schema.ts";
import { png } from "./picture_headers.ts";
import type { Caller, CallOptions, Json, TestResponse } from "./world.ts";

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Json[];
  /** Its text in the document. */
  readonly source: Json;
}

/** By name, or with precedence by the path up to the parameter. */
export type Values = Readonly<Record<string, string>>;

/** Each with the path up to it. */
export function parametersIn(
  path: string,
): readonly { readonly name: string; readonly upTo: string }[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ({ 0: whole, 1: name = "", index }) => ({
    name,
    upTo: path.slice(0, index + whole.length),
  }));
}

export class ApiDocument {
  readonly source: Json;
  readonly operations: readonly Operation[];

  constructor(source: Json) {
    this.source = source;
    this.operations = Object.entries<Json>(source.paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters.map((each: Json) => this.follow(each)),
        source: operation,
      }))
    );
  }

  operation(id: string): Operation {
    const found = this.operations.find((operation) => operation.id === id);
    assert(found !== undefined, `The document has no operation "${id}"`);
    return found;
  }

  /** Other values are returned unchanged. */
  follow(value: Json): Json {
    if (typeof value?.$ref !== "string") return value;
    const parts: string[] = value.$ref.replace(/^#\//, "").split("/");
    const found = parts.reduce((node, part) => node?.[part], this.source);
    assert(found !== undefined, `Nothing is at ${value.$ref}`);
    return found;
  }

  violations(schema: JsonObject, value: JsonValue): string[] {
    return violationsOf(schema, value, (reference) => this.follow({ $ref: reference }));
  }

  assertAllows(operation: Operation, answer: TestResponse, label = operation.id): void {
    const shown = `${label}: ${answer.status} ${answer.text.slice(0, 500)}`;
    const response = operation.source.responses[answer.status];
    assert(response !== undefined, `The document does not allow ${shown}`);
    for (const [name, header] of Object.entries<Json>(response.headers)) {
      const isThere = answer.headers.has(name);
      if (this.follow(header).required || name === "Location") assert(isThere, `${name}: ${shown}`);
    }
    const types = Object.keys(response.content ?? {});
    if (types.length === 0) return assertEquals(answer.text, "", shown);
    const schema = response.content["application/json"]?.schema;
    if (schema === undefined) return;
    // Documents name no charset.
    const type = answer.headers.get("Content-Type") ?? "";
    assertMatch(type, /^application\/json(; charset=utf-8)?$/, shown);
    assertEquals(this.violations(schema, answer.body), [], shown);
  }

  /** Null without a JSON body. The module's own example is preferred to others. */
  bodySchema(operation: Operation, values: Values): Json | null {
    const schema = operation.source.requestBody?.content["application/json"]?.schema;
    if (schema?.anyOf === undefined) return schema ?? null;
    const choices = schema.anyOf.map((each: Json) => this.follow(each));
    return choices.find(({ title }: Json) => title === values.moduleCode) ?? null;
  }

  /** By name; one empty example without a body. */
  examples(operation: Operation): readonly (readonly [name: string, body: Json | undefined])[] {
    const examples = operation.source.requestBody?.content["application/json"]?.examples;
    if (examples === undefined) return [["none", undefined]];
    return Object.entries<Json>(examples).map(([name, { value }]) => [name, value]);
  }

  /** Calls with required parameters; a required query parameter gets its first option, or a day. */
  async call(
    operation: Operation,
    caller: Pick<Caller, "call">,
    values: Values,
    body: Json | undefined,
    more: CallOptions & { readonly query?: string } = {},
  ): Promise<TestResponse> {
    const path = parametersIn(operation.path).reduce((filled, { name, upTo }) => {
      const value = values[upTo] ?? values[name];
      assert(value !== undefined, `${operation.id} needs a value for ${name}`);
      return filled.replace(`{${name}}`, value);
    }, operation.path) + (operation.path === "/calendar/{secret}" ? ".ics" : "");
    const required = operation.parameters.filter((each) => each.in === "header" && each.required);
    const headers = required.map(({ name, example }) => [name, example ?? ulid()] as const);
    const { query = requiredQuery(operation), ...options } = more;
    return await caller.call(operation.method, path + query, {
      ...contentOf(operation, body),
      ...options,
      headers: {
        ...Object.fromEntries(headers),
        ...contentOf(operation, body).headers,
        ...options.headers,
      },
    });
  }
}

const QUERY_VALUES: Readonly<Record<string, string>> = {
  module: "action",
  until: "2026-02-01",
  zone: "Asia/Tokyo",
};

/** Each required query parameter with its first option, or a value of its name, or a day. */
export function requiredQueryOf({ parameters }: Operation): [name: string, value: string][] {
  return parameters.filter((each) => each.in === "query" && each.required)
    .map(({ name, schema }) => [name, schema.enum?.[0] ?? QUERY_VALUES[name] ?? "2026-01-01"]);
}

function requiredQuery(operation: Operation): string {
  // Notes need a name, too, and take a mapping later.
  if (operation.id === "import.create") return "?format=markdown&name=Vault";
  const query = new URLSearchParams(requiredQueryOf(operation)).toString();
  return query === "" ? "" : `?${query}`;
}

/** Bodies without a schema. */
const STREAMED = [
  { type: "*/*", raw: "some bytes", headers: { "Content-Type": "text/plain" } },
  { type: "image/*", raw: png(2, 2), headers: { "Content-Type": "image/png" } },
  { type: "application/jsonl", ...EMPTY_ACCOUNT },
  {
    type: "application/octet-stream",
    raw: "A note",
    headers: { "Content-Type": "application/octet-stream" },
  },
];

function contentOf(operation: Operation, body: Json | undefined): CallOptions {
  const streamed = STREAMED.find(({ type }) =>
    operation.source.requestBody?.content[type] !== undefined
  );
  if (streamed !== undefined) return { raw: streamed.raw, headers: streamed.headers };
  return body === undefined ? {} : { body };
}
