import { assertEquals } from "@std/assert";
import {
  breakingChanges,
  contractOf,
  missingInChangelog,
  writeContract,
} from "../../../scripts/api_contract.ts";
import type { JsonSchema as WireSchema, OpenApiDocument } from "../../../scripts/wire_types.ts";

interface JsonSchema extends WireSchema {
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

interface Parts {
  readonly body?: JsonSchema;
  readonly answer?: JsonSchema;
  readonly schemas?: Record<string, JsonSchema>;
  readonly limit?: JsonSchema;
  readonly limitRequired?: boolean;
}

const THING: JsonSchema = { $ref: "#/components/schemas/Thing" };

/** A document with one route, and a second one that leads to `schemas.Thing` in both directions. */
function documentOf(
  { body, answer, schemas = {}, limit, limitRequired = false }: Parts,
): OpenApiDocument {
  const json = (schema: JsonSchema) => ({ "application/json": { schema } });
  return {
    paths: {
      "/a": {
        post: {
          operationId: "a",
          parameters: limit === undefined
            ? []
            : [{ name: "limit", in: "query", required: limitRequired, schema: limit }],
          ...(body && { requestBody: { required: true, content: json(body) } }),
          responses: { 200: { content: json(answer ?? {}) }, 400: { content: json({}) } },
        },
      },
      ...(schemas.Thing && {
        "/thing": {
          put: {
            operationId: "thing",
            parameters: [],
            requestBody: { required: true, content: json(THING) },
            responses: { 200: { content: json(THING) } },
          },
        },
      }),
    },
    components: { schemas, parameters: {} },
  };
}

/** Returns the lines that the second document lacks. */
function removed(before: Parts, after: Parts): string[] {
  const snapshot = writeContract(contractOf(documentOf(before)));
  return breakingChanges(snapshot, contractOf(documentOf(after)));
}

const withMembers = (properties: Record<string, JsonSchema>, required: string[] = []) => ({
  type: "object",
  properties,
  required,
});
const TEXT = { type: "string" };

Deno.test("contractOf() lists each promise with its place", () => {
  const pattern = `^"a b" = c\\d$`;
  const body = withMembers({ name: { ...TEXT, pattern, maxLength: 5 } }, ["name"]);
  const lines = contractOf(documentOf({ body, answer: { enum: ["a b", "c"] } }));
  assertEquals(lines, [
    'POST /a answer: "a b"',
    'POST /a answer: "c"',
    "POST /a answer: application/json",
    `POST /a body.name: string maxLength=5 pattern=${JSON.stringify(pattern)}`,
    "POST /a body: object, requires name",
    "POST /a: requires body",
  ]);
  assertEquals(JSON.parse(writeContract(lines)), lines);
});

Deno.test("breakingChanges() finds removed operations, parameters, members and values", () => {
  const Thing = withMembers({ kind: { enum: ["A", "B"] } });
  assertEquals(removed({ schemas: { Thing } }, {}), [
    "PUT /thing answer: Thing",
    "PUT /thing answer: application/json",
    "PUT /thing body: Thing",
    "PUT /thing: requires body",
    'answered Thing.kind: "A"',
    'answered Thing.kind: "B"',
    "answered Thing: object",
    'sent Thing.kind: "A"',
    'sent Thing.kind: "B"',
    "sent Thing: object, requires nothing",
  ]);
  assertEquals(removed({ limit: { type: "integer" } }, {}), ["POST /a query limit: integer"]);
  assertEquals(
    removed({ schemas: { Thing } }, { schemas: { Thing: withMembers({ kind: { enum: ["A"] } }) } }),
    ['answered Thing.kind: "B"', 'sent Thing.kind: "B"'],
  );
});

Deno.test("breakingChanges() accepts requests that may contain more, and responses that do", () => {
  const before: Parts = {
    body: withMembers({ name: TEXT, kind: { enum: ["A"] } }, ["name"]),
    answer: withMembers({ name: TEXT, kind: { enum: ["A", "B"] } }, ["kind"]),
    limit: { type: "integer", maximum: 10 },
  };
  const after: Parts = {
    body: withMembers({ name: TEXT, kind: { enum: ["A", "B"] }, more: TEXT }, ["name"]),
    answer: withMembers({ name: TEXT, kind: { enum: ["A", "B", "C"] }, more: TEXT }, [
      "name",
      "kind",
      "more",
    ]),
    limit: { type: "integer", maximum: 10 },
  };
  assertEquals(removed(before, after), []);
});

Deno.test("breakingChanges() finds requests that accept less", () => {
  const name = { ...TEXT, maxLength: 5, minLength: 2 };
  const of = (member: JsonSchema, required: string[] = []) => ({
    body: withMembers({ name: member }, required),
  });
  const optional = ["POST /a body: object, requires nothing"];
  const limited = ["POST /a body.name: string maxLength=5 minLength=2"];
  const text = ["POST /a body.name: string"];
  assertEquals(removed(of(name), of(name, ["name"])), optional);
  assertEquals(removed(of(name), of({ ...name, maxLength: 4 })), limited);
  assertEquals(removed(of(name), of({ ...name, minLength: 3 })), limited);
  assertEquals(removed(of(TEXT), of({ ...TEXT, maxLength: 4 })), text);
  assertEquals(removed(of(TEXT), of({ ...TEXT, pattern: "=" })), text);
  assertEquals(removed(of(TEXT), of({ ...TEXT, enum: ["A"] })), text);
  assertEquals(removed(of({ type: ["string", "null"] }), of(TEXT)), ["POST /a body.name: null"]);
  const other = withMembers({ name, more: TEXT }, ["more"]);
  assertEquals(removed(of(name), { body: other }), optional);
  assertEquals(removed({}, { body: { type: "object" } }), ["POST /a: requires nothing"]);
  assertEquals(removed({}, { limit: { type: "integer" }, limitRequired: true }), [
    "POST /a: requires nothing",
  ]);
  const open = { body: { type: "object", additionalProperties: true } };
  assertEquals(removed(open, { body: { type: "object" } }), ["POST /a body.*: any"]);
});

Deno.test("breakingChanges() finds responses that promise less, and no limits in them", () => {
  const of = (member: JsonSchema, required: string[] = []) => ({
    answer: withMembers({ name: member }, required),
  });
  const at = "POST /a answer.name";
  assertEquals(removed(of(TEXT, ["name"]), of(TEXT)), [`${at}: required`]);
  assertEquals(removed(of(TEXT), of({ type: "integer" })), [`${at}: string`]);
  assertEquals(removed(of(TEXT), of({ ...TEXT, maxLength: 4 })), []);
  const union = { anyOf: [{ const: 1 }, { type: "null" }] };
  assertEquals(removed(of(union), of({ const: 1 })), [`${at}: null`]);
});

Deno.test("breakingChanges() follows schemas that contain themselves", () => {
  const Thing = withMembers({ inner: THING, list: { type: "array", items: THING } });
  const less = withMembers({ inner: THING });
  assertEquals(removed({ schemas: { Thing } }, { schemas: { Thing: less } }), [
    "answered Thing.list: array",
    "answered Thing.list[]: Thing",
    "sent Thing.list: array",
    "sent Thing.list[]: Thing",
  ]);
});

Deno.test("missingInChangelog() requires a bullet of the newest entry that names the place or its parent", () => {
  const lines = ["POST /a body.name: string", "POST /ab: requires nothing"];
  const entry = (text: string) =>
    `# Changelog\n\n## 2.1.0\n\n${text}\n\n## 2.0.0\n\n- removed: ` +
    "`POST /ab`\n";
  const missing = (text: string) => missingInChangelog(lines, entry(text));
  assertEquals(missing("- **API**: `POST /a` and `POST /ab` are faster."), lines);
  assertEquals(missing("- **API**: narrowed\n  `POST /a`."), lines.slice(1));
  assertEquals(missing("- removed: `POST /a body.name`, `POST /ab`."), []);
});
