import { assertEquals } from "@std/assert";
import {
  contractOf,
  narrowings,
  readContract,
  untold,
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

/** What the second document loses; the first one's contract goes through its text. */
function lost(before: Parts, after: Parts): Record<string, string> {
  const old = readContract(writeContract(contractOf(documentOf(before))));
  return Object.fromEntries(narrowings(old, contractOf(documentOf(after))));
}

const withMembers = (properties: Record<string, JsonSchema>, required: string[] = []) => ({
  type: "object",
  properties,
  required,
});
const TEXT = { type: "string" };

Deno.test("writeContract() writes a line per place, and readContract() reads it back", () => {
  const pattern = `^"a b" = c\\d$`;
  const body = withMembers({ name: { ...TEXT, pattern, maxLength: 5 } }, ["name"]);
  const contract = contractOf(documentOf({ body, answer: { enum: ["a b", "c"] } }));
  const text = writeContract(contract);
  assertEquals(text.split("\n"), [
    'POST /a answer: "a b" "c" application/json',
    `POST /a body.name: maxLength=5 pattern=${JSON.stringify(pattern)} required string`,
    "POST /a body: object required",
    "POST /a:",
    "",
  ]);
  assertEquals(writeContract(readContract(text)), text);
});

Deno.test("narrowings() finds removed operations, parameters, members and values", () => {
  const Thing = withMembers({ kind: { enum: ["A", "B"] } });
  assertEquals(lost({ schemas: { Thing } }, {}), {
    "PUT /thing": "removed",
    "PUT /thing answer": "removed",
    "PUT /thing body": "removed",
    "answered Thing": "removed",
    "answered Thing.kind": "removed",
    "sent Thing": "removed",
    "sent Thing.kind": "removed",
  });
  assertEquals(lost({ limit: { type: "integer" } }, {}), { "POST /a query limit": "removed" });
  assertEquals(
    lost({ schemas: { Thing } }, { schemas: { Thing: withMembers({ kind: { enum: ["A"] } }) } }),
    { "answered Thing.kind": '"B"', "sent Thing.kind": '"B"' },
  );
});

Deno.test("narrowings() accepts whatever asks for less and promises more", () => {
  const before: Parts = {
    body: withMembers({ name: { ...TEXT, maxLength: 5, minLength: 2, pattern: "a" } }, ["name"]),
    answer: withMembers({ name: TEXT, kind: { enum: ["A", "B"] } }, ["kind"]),
    limit: { type: "integer", maximum: 10 },
    limitRequired: true,
  };
  const after: Parts = {
    body: withMembers({ name: { ...TEXT, maxLength: 6, minLength: 1 }, more: TEXT }),
    answer: withMembers({ name: TEXT, kind: { enum: ["A", "B", "C"] }, more: TEXT }, [
      "name",
      "kind",
      "more",
    ]),
    limit: { type: ["integer", "string"], maximum: 20 },
  };
  assertEquals(lost(before, after), {});
});

Deno.test("narrowings() finds requests that accept less", () => {
  const name = { ...TEXT, maxLength: 5, minLength: 2 };
  const of = (member: JsonSchema, required: string[] = []) => ({
    body: withMembers({ name: member }, required),
  });
  const at = "POST /a body.name";
  assertEquals(lost(of(name), of(name, ["name"])), { [at]: "optional" });
  assertEquals(lost(of(name), of({ ...name, maxLength: 4 })), { [at]: "maxLength=4" });
  assertEquals(lost(of(name), of({ ...name, minLength: 3 })), { [at]: "minLength=3" });
  assertEquals(lost(of(TEXT), of({ ...TEXT, maxLength: 4 })), { [at]: "maxLength=4" });
  assertEquals(lost(of(TEXT), of({ ...TEXT, pattern: "=" })), { [at]: 'pattern="="' });
  assertEquals(lost(of(TEXT), of({ ...TEXT, enum: ["A"] })), { [at]: "a list of values" });
  assertEquals(lost(of({ type: ["string", "null"] }), of(TEXT)), { [at]: "null" });
  const other = withMembers({ name, more: TEXT }, ["more"]);
  assertEquals(lost(of(name), { body: other }), { "POST /a body.more": "required" });
  assertEquals(lost({}, { body: { type: "object" } }), { "POST /a body": "required" });
  assertEquals(lost({}, { limit: { type: "integer" }, limitRequired: true }), {
    "POST /a query limit": "required",
  });
  const open = { body: { type: "object", additionalProperties: true } };
  assertEquals(lost(open, { body: { type: "object" } }), { "POST /a body.*": "removed" });
});

Deno.test("narrowings() finds answers that promise less, and no limits in them", () => {
  const of = (member: JsonSchema, required: string[] = []) => ({
    answer: withMembers({ name: member }, required),
  });
  const at = "POST /a answer.name";
  assertEquals(lost(of(TEXT, ["name"]), of(TEXT)), { [at]: "required" });
  assertEquals(lost(of(TEXT), of({ type: "integer" })), { [at]: "string" });
  assertEquals(lost(of(TEXT), of({ ...TEXT, maxLength: 4 })), {});
  const union = { anyOf: [{ const: 1 }, { type: "null" }] };
  assertEquals(lost(of(union), of({ const: 1 })), { [at]: "null" });
});

Deno.test("narrowings() follows schemas that contain themselves", () => {
  const Thing = withMembers({ inner: THING, list: { type: "array", items: THING } });
  const less = withMembers({ inner: THING });
  assertEquals(Object.keys(lost({ schemas: { Thing } }, { schemas: { Thing: less } })), [
    "answered Thing.list",
    "answered Thing.list[]",
    "sent Thing.list",
    "sent Thing.list[]",
  ]);
});

Deno.test("untold() asks for a bullet of the newest entry that names the place or what leads to it", () => {
  const found = new Map([["POST /a body.name", "removed"], ["POST /ab", "removed"]]);
  const entry = (text: string) =>
    `# Changelog\n\n## 2.1.0\n\n${text}\n\n## 2.0.0\n\n- removed: ` +
    "`POST /ab`\n";
  assertEquals(untold(found, entry("- **API**: `POST /a` and `POST /ab` are faster.")), [
    "POST /a body.name: removed",
    "POST /ab: removed",
  ]);
  assertEquals(untold(found, entry("- **API**: narrowed\n  `POST /a`.")), ["POST /ab: removed"]);
  assertEquals(untold(found, entry("- removed: `POST /a body.name`, `POST /ab`.")), []);
});
