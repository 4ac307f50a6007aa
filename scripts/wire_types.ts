/** TypeScript types of the schemas of the OpenAPI document. */

/** The parts of JSON Schema that the document uses. */
export interface JsonSchema {
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

/** The body of a request or a response, by media type. */
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
}

/** A parameter, or a reference to one. */
export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

/** The parts of the document that determine the types. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

export const JSON_TYPE = "application/json";

/** The 2xx responses of an operation. */
export function successes({ responses }: Operation): Content[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith("2") ? [response] : []
  );
}

/** Declarations of the named schemas that `roots` lead to, in the order of the names. */
export function namedTypes(
  schemas: Readonly<Record<string, JsonSchema>>,
  roots: readonly JsonSchema[],
): string[] {
  const named = new Set<string>();
  const meet = (schema: JsonSchema) => {
    for (const name of namesIn(schema)) {
      if (named.has(name)) continue;
      named.add(name);
      meet(schemas[name] ?? {});
    }
  };
  roots.forEach(meet);
  return [...named].sort().map((name) =>
    `export type ${identifier(name)} = ${typeOf(schemas[name])};\n`
  );
}

/** Direct references only. */
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

/** The schema's name as an identifier. */
function identifier(name: string): string {
  return name.replaceAll("-", "_");
}

export function typeOf(schema: JsonSchema = {}, indent = ""): string {
  const { $ref, type, anyOf, items } = schema;
  if ($ref !== undefined) return identifier(nameOf($ref));
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
  } else if (lines.length === 0) {
    const rest = additionalProperties === false ? "never" : "unknown";
    lines.push(`${inner}readonly [name: string]: ${rest};`);
  }
  return `{\n${lines.join("\n")}\n${indent}}`;
}
