/** The types of the API's answers, from the schemas of the OpenAPI document. */

/** As much of a JSON Schema as the document's answers use. */
interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
}

/** As much of the document as the types are made of. */
export interface OpenApiDocument {
  readonly paths: Readonly<
    Record<string, Record<string, { readonly responses: Readonly<Record<string, Response>> }>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const HEADER = `// deno-fmt-ignore-file
/**
 * What the API answers, for the type check alone. Written from the OpenAPI document by
 * \`deno task snapshot\`; a test compares the two. Do not edit.
 */

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}
`;

/** The text of a module that declares every named schema of a successful answer. */
export function wireTypes({ paths, components: { schemas } }: OpenApiDocument): string {
  const named = new Set<string>();
  const meet = (schema: JsonSchema) => {
    for (const name of namesIn(schema)) {
      if (named.has(name)) continue;
      named.add(name);
      meet(schemas[name] ?? {});
    }
  };
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const schema = content?.["application/json"]?.schema;
      if (status.startsWith("2") && schema !== undefined) meet(schema);
    }
  }
  const types = [...named].sort().map((name) =>
    `export type ${name} = ${typeOf(schemas[name])};\n`
  );
  return [HEADER, ...types].join("\n");
}

/** The names of the schemas that a schema refers to itself. */
function namesIn(schema: JsonSchema): string[] {
  const { $ref, anyOf = [], items, properties = {}, additionalProperties } = schema;
  if ($ref !== undefined) return [nameOf($ref)];
  const more = typeof additionalProperties === "object" ? [additionalProperties] : [];
  const inside = [...anyOf, ...(items ? [items] : []), ...Object.values(properties), ...more];
  return inside.flatMap(namesIn);
}

function nameOf(reference: string): string {
  return reference.slice("#/components/schemas/".length);
}

function typeOf(schema: JsonSchema = {}, indent = ""): string {
  const { $ref, type, anyOf, items } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  }
  if (anyOf !== undefined) return anyOf.map((each) => typeOf(each, indent)).join(" | ");
  if (typeof type === "object") {
    return type.map((each) => typeOf({ ...schema, type: each }, indent)).join(" | ");
  }
  if (type === "array") return `readonly (${typeOf(items, indent)})[]`;
  if (type === "object") return objectType(schema, indent);
  return { integer: "number", number: "number" }[type ?? ""] ?? type ?? "unknown";
}

function objectType(schema: JsonSchema, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, member]) => {
    const mark = required.includes(name) ? "" : "?";
    return `${inner}readonly ${name}${mark}: ${typeOf(member, inner)};`;
  });
  if (additionalProperties !== undefined && additionalProperties !== false) {
    const rest = additionalProperties === true ? {} : additionalProperties;
    lines.push(`${inner}readonly [name: string]: ${typeOf(rest, inner)};`);
  }
  return `{\n${lines.join("\n")}\n${indent}}`;
}
