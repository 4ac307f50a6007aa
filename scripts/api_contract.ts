/**
 * The promises of the API, as sorted lines: `POST /api/v2/search body.query: string maxLength=200`.
 * A line that is removed is a breaking change, and a line that is added is not: requests may accept
 * more later, responses contain more. A changed limit counts as removed.
 *
 * Named schemas have places of their own, as `sent` in requests or `answered` in responses.
 */

import { type JsonSchema, type OpenApiDocument, type Operation, successes } from "./wire_types.ts";

type Direction = "sent" | "answered";

/** Limits of requests. */
const LIMIT = /^(?:max|min)[A-Z]?\w*$|^(?:pattern|uniqueItems)$/;

/** Returns the lines of a document. */
export function contractOf({ paths, components }: OpenApiDocument): string[] {
  const contract = new Contract(components);
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      contract.addOperation(`${method.toUpperCase()} ${path}`, operation);
    }
  }
  return [...contract.lines].sort();
}

class Contract {
  readonly lines = new Set<string>();
  /** The named schemas, each with its direction, that have their lines. */
  readonly #described = new Set<string>();
  readonly #components: OpenApiDocument["components"];

  constructor(components: OpenApiDocument["components"]) {
    this.#components = components;
  }

  addOperation(place: string, operation: Operation): void {
    const parameters = operation.parameters.map((named) =>
      this.#components.parameters[nameOf(named.$ref)] ?? named
    );
    const required = parameters.flatMap((each) => each.required ? [`${each.in} ${each.name}`] : []);
    if (operation.requestBody?.required) required.push("body");
    this.lines.add(`${place}: ${requires(required)}`);
    for (const { in: part, name, schema } of parameters) {
      this.#addSchema(schema, `${place} ${part} ${name}`, "sent");
    }
    for (const { schema = {} } of Object.values(operation.requestBody?.content ?? {})) {
      this.#addSchema(schema, `${place} body`, "sent");
    }
    for (const { content = {} } of successes(operation)) {
      for (const [media, { schema = {} }] of Object.entries(content)) {
        this.lines.add(`${place} answer: ${media}`);
        this.#addSchema(schema, `${place} answer`, "answered");
      }
    }
  }

  #addSchema(schema: JsonSchema, place: string, direction: Direction): void {
    const { $ref, anyOf = [], items, properties = {}, required = [] } = schema;
    for (const promise of promisesOf(schema, direction)) this.lines.add(`${place}: ${promise}`);
    if ($ref !== undefined) this.#addNamed(nameOf($ref), direction);
    for (const variant of anyOf) this.#addSchema(variant, place, direction);
    if (items !== undefined) this.#addSchema(items, `${place}[]`, direction);
    for (const [name, member] of Object.entries(properties)) {
      const at = `${place}.${name}`;
      if (direction === "answered" && required.includes(name)) this.lines.add(`${at}: required`);
      this.#addSchema(member, at, direction);
    }
    const { additionalProperties: others = false } = schema;
    if (others !== false) {
      this.#addSchema(others === true ? {} : others, `${place}.*`, direction);
    }
  }

  #addNamed(name: string, direction: Direction): void {
    const place = `${direction} ${name}`;
    if (this.#described.has(place)) return;
    this.#described.add(place);
    this.#addSchema(this.#components.schemas[name] ?? {}, place, direction);
  }
}

function nameOf($ref = ""): string {
  return $ref.split("/").at(-1) ?? "";
}

/** Each type with its limits, or each value, or the name of a schema. */
function promisesOf(schema: JsonSchema, direction: Direction): string[] {
  const { $ref, anyOf, type = [], required = [] } = schema;
  if ($ref !== undefined) return [nameOf($ref)];
  const values = [...schema.enum ?? [], ...schema.const === undefined ? [] : [schema.const]];
  if (values.length > 0) return values.map((value) => JSON.stringify(value));
  const types = [type].flat();
  if (types.length === 0) return anyOf === undefined ? ["any"] : [];
  if (direction === "answered") return types;
  const limits = Object.entries(schema).filter(([name]) => LIMIT.test(name))
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`).sort().join("");
  return types.map((each) => {
    if (each === "object") return `object, ${requires(required)}`;
    return each === "null" ? each : `${each}${limits}`;
  });
}

function requires(names: readonly string[]): string {
  return `requires ${names.toSorted().join(", ") || "nothing"}`;
}

/** Writes the snapshot. */
export function writeContract(lines: readonly string[]): string {
  return `${JSON.stringify(lines, null, 2)}\n`;
}

/** Returns the lines of a snapshot that a later contract lacks. */
export function breakingChanges(snapshot: string, contract: readonly string[]): string[] {
  const present = new Set(contract);
  const lines: string[] = JSON.parse(snapshot);
  return lines.filter((line) => !present.has(line));
}

/**
 * Returns the lines whose place no bullet of the changelog's newest entry names as removed or
 * narrowed.
 */
export function missingInChangelog(lines: readonly string[], changelog: string): string[] {
  const [, newest = ""] = changelog.split(/^## /m);
  const names = newest.split(/^- /m)
    .filter((bullet) => /\b(?:removed|changed|narrowed)\b/i.test(bullet))
    .flatMap((bullet) => Array.from(bullet.matchAll(/`([^`]+)`/g), ([, name = ""]) => name));
  const isNamed = (line: string) =>
    names.some((name) => line.startsWith(name) && /^[: .[]/.test(line.slice(name.length)));
  return lines.filter((line) => !isNamed(line));
}
