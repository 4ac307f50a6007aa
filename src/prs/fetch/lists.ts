/** Reads lists of Monica's API until they are whole. */

import { CommandError } from "../failures.ts";
import { note } from "../terminal.ts";
import { type Answers, apiObjects, type ApiRecord, readPage } from "./answers.ts";

/** A record, and the file of its page. */
export interface Listed {
  readonly record: ApiRecord;
  readonly file: string;
}

interface Reading {
  readonly name: string;
  readonly sort: string;
  readonly limit: number;
}

/** Records of one reading; null if its pages state different totals. */
interface Result {
  readonly total: number | null;
  readonly records: ReadonlyMap<string, Listed>;
}

/**
 * All records of a list by time of creation. Records of equal times may come twice, or never, at
 * the border of two pages; another order or another size of pages moves the borders.
 *
 * @returns null if the server does not have the list.
 * @throws CommandError if the list is not whole after three readings.
 */
export async function readList(answers: Answers, list: string): Promise<readonly Listed[] | null> {
  const [usual, other] = list === "photos" ? [10, 8] : [100, 83];
  const readings: readonly Reading[] = [
    { name: "1", sort: "created_at", limit: usual },
    { name: "2", sort: "-created_at", limit: usual },
    { name: "3", sort: "created_at", limit: other },
  ];
  const byTotal = new Map<number, Map<string, Listed>>();
  for (const reading of readings) {
    const result = await readOnce(answers, list, reading);
    if (result === null) return null;
    const { total, records } = result;
    if (total === null) continue;
    const known = new Map([...byTotal.get(total) ?? [], ...records]);
    byTotal.set(total, known);
    const whole = [records, known].find(({ size }) => size === total);
    if (whole !== undefined) return [...whole.values()].toSorted(byCreation);
  }
  const reason = `${list} changed while they were read; run the command again`;
  return await refuse(answers, list, `fetch.changed: ${reason}`);
}

/** Reads each page once. Returns null if the server does not have one. */
async function readOnce(
  answers: Answers,
  list: string,
  { name, sort, limit }: Reading,
): Promise<Result | null> {
  const records = new Map<string, Listed>();
  let [count, before]: [number, string | null] = [0, null];
  let stated: number | null = null;
  for (let number = 1;; number++) {
    const file = `${list}-${name}-${number}.json`;
    const query = `limit=${limit}&page=${number}&sort=${sort}`;
    const more = list === "contacts" ? "&with=contactfields" : "";
    const page = await answers.read(list, file, `${list}?${query}${more}`, readPage);
    if (page === null) return null;
    const uuids = page.records.map(({ uuid }) => uuid).join();
    if (uuids !== "" && uuids === before) {
      return await refuse(answers, list, `fetch.loop: two pages of ${list} have the same records`);
    }
    before = uuids;
    for (const record of page.records) {
      // The bytes of photos stay in the folder.
      for (const object of apiObjects(record)) delete object.dataUrl;
      records.set(String(record.uuid), { record, file });
    }
    count += page.records.length;
    note(`${list} ${count}`);
    if (stated !== null && page.total !== stated) return { total: null, records };
    stated = page.total;
    if (uuids === "" || count >= stated) return { total: stated, records };
  }
}

/** Forgets the pages, which a later run would read again to the same end. */
async function refuse(answers: Answers, list: string, sentence: string): Promise<never> {
  await answers.forget(list);
  throw new CommandError(sentence);
}

function byCreation({ record: one }: Listed, { record: other }: Listed): number {
  return compareRecords(one, other);
}

/** By time of creation, then by identifier. */
export function compareRecords(one: ApiRecord, other: ApiRecord): number {
  const [key, otherKey] = [one, other].map(({ created_at, uuid }) => `${created_at ?? ""} ${uuid}`);
  if (key === otherKey) return 0;
  return String(key) < String(otherKey) ? -1 : 1;
}
