/** Answers of Monica's API: from the folder of pages, else from the server. */

import { isJsonObject, type JsonObject, type JsonValue, objectOf } from "../../core/json.ts";
import { CommandError, EXIT } from "../failures.ts";
import { note } from "../terminal.ts";
import type { MonicaClient } from "./monica_client.ts";
import type { Pages } from "./pages.ts";

/** A record of the API: `uuid` is a text, `id` a whole number. */
export type ApiRecord = JsonObject;

/** A page of a list. */
export interface Page {
  readonly records: readonly ApiRecord[];
  /** How many records the list has. */
  readonly total: number;
}

/** Reads the facts of an answer; returns null if it is not one of Monica's. */
type Read<T> = (answer: JsonObject) => T | null;

export class Answers {
  readonly #client: MonicaClient;
  readonly #url: string;
  readonly #pages: Pages;
  /** Names of absent answers. */
  readonly #absent = new Set<string>();

  constructor(client: MonicaClient, url: string, pages: Pages) {
    this.#client = client;
    this.#url = url;
    this.#pages = pages;
  }

  /**
   * Reads an answer, and stores it if it is new.
   *
   * @param name The list, or the kind of request.
   * @param file Its name in the folder.
   * @returns null if the server does not have it, which is noted once for a name.
   */
  async read<T>(name: string, file: string, path: string, read: Read<T>): Promise<T | null> {
    const known = parse(await this.#pages.read(file), read);
    if (known !== null) return known;
    const answer = await this.#client.get(`${this.#url}/api/${path}`);
    const { status, bytes } = answer;
    if (isAbsent(status)) {
      if (!this.#absent.has(name)) note(`${name}: absent (${status})`);
      this.#absent.add(name);
      return null;
    }
    const facts = assertFacts(answer, name, read);
    await this.#pages.write(file, bytes);
    return facts;
  }

  /** @throws CommandError if the answer was stored by this run, and is gone. */
  async readStored<T>(file: string, read: Read<T>): Promise<T> {
    const known = parse(await this.#pages.read(file), read);
    if (known === null) throw new CommandError(`pages/${file}: was removed`);
    return known;
  }

  /** A later run reads the list again. */
  async forget(list: string): Promise<void> {
    await this.#pages.remove(`${list}-`);
  }

  /**
   * Reads a file of bytes, and stores it if it is new.
   *
   * @returns null if the link is of another server, or does not lead to so many bytes.
   */
  async readFile(file: string, link: JsonValue, size: JsonValue): Promise<Uint8Array | null> {
    const known = await this.#pages.read(file);
    if (known !== null && known.length === size) return known;
    if (typeof link !== "string" || !isSameServer(link, this.#url)) return null;
    const { status, bytes } = await this.#client.get(link);
    if (status !== 200 || bytes.length !== size) return null;
    await this.#pages.write(file, bytes);
    return bytes;
  }
}

/**
 * The account that the token is for.
 *
 * @throws CommandError if the server does not answer as Monica does.
 */
export async function readAccountId(client: MonicaClient, url: string): Promise<string> {
  const answer = await client.get(`${url}/api/me`);
  if (isAbsent(answer.status)) {
    throw new CommandError(`--from: has no API of Monica 4 (${answer.status})`);
  }
  return assertFacts(answer, "me", ({ data }) => {
    const { id = null } = objectOf(objectOf(data).account);
    return isId(id) ? String(id) : null;
  });
}

/** True for another 4xx than the refusal of the token. */
function isAbsent(status: number): boolean {
  return status >= 400 && status < 500 && status !== 401;
}

/** @throws CommandError with the exit code of the status, or if the body has not these facts. */
function assertFacts<T>(
  { status, bytes }: { readonly status: number; readonly bytes: Uint8Array },
  name: string,
  read: Read<T>,
): T {
  if (status === 401) throw new CommandError("Monica refuses the token (401)", EXIT.signIn);
  if (status >= 500) throw new CommandError(`Monica fails (${status})`, EXIT.unreachable);
  if (status >= 300) {
    throw new CommandError(`--from: redirects (${status}); name the address that it leads to`);
  }
  const facts = parse(bytes, read);
  if (facts === null) throw new CommandError(`${name}: the answer is not one of Monica 4`);
  return facts;
}

function parse<T>(bytes: Uint8Array | null, read: Read<T>): T | null {
  if (bytes === null) return null;
  try {
    const answer: JsonValue = JSON.parse(new TextDecoder().decode(bytes));
    return isJsonObject(answer) ? read(answer) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A page of a list that states its number of records. */
export function readPage(answer: JsonObject): Page | null {
  const records = readRecords(answer);
  const { total = null } = objectOf(answer.meta);
  return records === null || !isId(total) ? null : { records, total };
}

/** The records of a list without pages. */
export function readRecords({ data }: JsonObject): readonly ApiRecord[] | null {
  return Array.isArray(data) && data.every(isRecord) ? data.filter(isJsonObject) : null;
}

export function readRecord({ data }: JsonObject): ApiRecord | null {
  return isRecord(data) ? objectOf(data) : null;
}

function isRecord(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && typeof value.uuid === "string" && isId(value.id ?? null);
}

function isId(value: JsonValue): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** False for a link with a user. */
export function isSameServer(link: string, url: string): boolean {
  if (!URL.canParse(link)) return false;
  const { origin, username, password } = new URL(link);
  return origin === new URL(url).origin && username === "" && password === "";
}

/** The objects of the API in a value, such as contacts and types. */
export function* apiObjects(value: JsonValue): Generator<ApiRecord> {
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isJsonObject(next) && typeof next.object === "string") yield next;
    if (typeof next !== "object" || next === null) continue;
    for (const each of Object.values(next)) open.push(each);
  }
}
