/**
 * The promises of the API, as lines of text, and what a later document no longer promises.
 *
 * A line is a place and its words: `POST /api/v2/search body.query: maxLength=200 required string`. Named
 * schemas have places of their own, as `sent` or `answered`: requests may accept more later, answers contain more.
 */

import { type JsonSchema, type OpenApiDocument, type Operation, successes } from "./wire_types.ts";

/** The words of each place. */
export type Contract = ReadonlyMap<string, ReadonlySet<string>>;

type Direction = "sent" | "answered";

/** Limits of requests. */
const LIMIT = /^(?:max|min)[A-Z]?\w*=|^(?:pattern|uniqueItems)=/;

export function contractOf({ paths, components }: OpenApiDocument): Contract {
  const places = new Map<string, Set<string>>();
  const say = (place: string, words: readonly string[]) => {
    places.set(place, new Set([...places.get(place) ?? [], ...words]));
  };

  const describe = (schema: JsonSchema, place: string, direction: Direction): void => {
    const { $ref, anyOf = [], type = [], items, properties = {}, required = [] } = schema;
    if ($ref !== undefined) {
      const name = $ref.split("/").at(-1) ?? "";
      say(place, [name]);
      const own = `${direction} ${name}`;
      if (!places.has(own)) describe(components.schemas[name] ?? {}, own, direction);
    }
    const values = [...schema.enum ?? [], ...schema.const === undefined ? [] : [schema.const]];
    say(place, [type, values.map((value) => JSON.stringify(value))].flat(2));
    if (direction === "sent") say(place, limitsOf(schema));
    for (const variant of anyOf) describe(variant, place, direction);
    if (items !== undefined) describe(items, `${place}[]`, direction);
    for (const [name, member] of Object.entries(properties)) {
      say(`${place}.${name}`, [required.includes(name) ? "required" : "optional"]);
      describe(member, `${place}.${name}`, direction);
    }
    const { additionalProperties: others = false } = schema;
    if (others !== false) describe(others === true ? {} : others, `${place}.*`, direction);
  };

  const describeOperation = (place: string, operation: Operation) => {
    say(place, []);
    for (const named of operation.parameters) {
      const parameter = components.parameters[named.$ref?.split("/").at(-1) ?? ""] ?? named;
      const at = `${place} ${parameter.in} ${parameter.name}`;
      say(at, [parameter.required === true ? "required" : "optional"]);
      describe(parameter.schema, at, "sent");
    }
    for (const { schema = {} } of Object.values(operation.requestBody?.content ?? {})) {
      say(`${place} body`, [operation.requestBody?.required ? "required" : "optional"]);
      describe(schema, `${place} body`, "sent");
    }
    for (const { content = {} } of successes(operation)) {
      for (const [media, { schema = {} }] of Object.entries(content)) {
        say(`${place} answer`, [media]);
        describe(schema, `${place} answer`, "answered");
      }
    }
  };

  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      describeOperation(`${method.toUpperCase()} ${path}`, operation);
    }
  }
  return places;
}

function limitsOf(schema: JsonSchema): string[] {
  const words = Object.entries(schema).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return words.filter((word) => LIMIT.test(word));
}

/** One line per place, sorted. */
export function writeContract(contract: Contract): string {
  const lines = Array.from(
    contract,
    ([place, words]) => `${[`${place}:`, ...[...words].sort()].join(" ")}\n`,
  );
  return lines.sort().join("");
}

/** Reads what `writeContract` wrote. */
export function readContract(text: string): Contract {
  return new Map(
    text.split("\n").filter(Boolean).map((line) => {
      const [, place = "", words = ""] = /^(.+?):(?: (.*))?$/.exec(line) ?? [];
      return [place, new Set(words.match(/[^\s"]*"(?:[^"\\]|\\.)*"|\S+/g))];
    }),
  );
}

/** The places that were removed or narrowed, each with the reason. */
export function narrowings(before: Contract, after: Contract): Map<string, string> {
  const removed = Array.from(before, ([place, words]) => {
    const present = after.get(place);
    return [
      place,
      present === undefined ? "removed" : loss(words, present, isSent(place)),
    ] as const;
  });
  const asked = Array.from(after, ([place, words]) => {
    const parent = place.replace(/(?:\.[^.\s]+| (?:query|header|cookie) \S+| body)$/, "");
    const isNew = !before.has(place) && before.has(parent) && isSent(place);
    return [place, isNew && words.has("required") ? "required" : null] as const;
  });
  return new Map([...removed, ...asked].flatMap(([place, why]) => why ? [[place, why]] : []));
}

function isSent(place: string): boolean {
  return !/^answered | answer\b/.test(place);
}

/** The first word that is not promised any more, or that is asked for now. */
function loss(before: ReadonlySet<string>, after: ReadonlySet<string>, sent: boolean) {
  const isOpen = ![...after].some(isValue);
  const isHarmless = (word: string) =>
    word === (sent ? "required" : "optional") || LIMIT.test(word) || (isOpen && isValue(word));
  const gone = [...before].find((word) => !after.has(word) && !isHarmless(word));
  if (gone !== undefined || !sent) return gone ?? null;
  if (!isOpen && ![...before].some(isValue)) return "a list of values";
  return [...after].find((word) => LIMIT.test(word) && isTighter(word, before)) ?? null;
}

function isValue(word: string): boolean {
  return /^(?:"|-?\d|true$|false$)/.test(word);
}

function isTighter(limit: string, before: ReadonlySet<string>): boolean {
  const [head = ""] = limit.match(/^\w+=/) ?? [];
  const value = limit.slice(head.length);
  const old = [...before].flatMap((word) => word.startsWith(head) ? [word.slice(head.length)] : []);
  if (old.includes(value)) return false;
  if (head.startsWith("max")) return !old.some((each) => Number(each) <= Number(value));
  return !head.startsWith("min") || !old.some((each) => Number(each) >= Number(value));
}

/** The narrowings that no bullet of the changelog's newest entry names as removed or narrowed. */
export function untold(found: ReadonlyMap<string, string>, changelog: string): string[] {
  const [, newest = ""] = changelog.split(/^## /m);
  const told = newest.split(/^- /m).filter((bullet) => /\b(?:removed|narrowed)\b/.test(bullet))
    .flatMap((bullet) => Array.from(bullet.matchAll(/`([^`]+)`/g), ([, name = ""]) => name));
  const isTold = (place: string) =>
    told.some((name) => place.startsWith(name) && /^(?:$|[ .[])/.test(place.slice(name.length)));
  return Array.from(found).flatMap(([place, why]) => isTold(place) ? [] : [`${place}: ${why}`]);
}
