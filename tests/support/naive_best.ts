/**
 * Best-first search by its contract, over records in memory, without an index. It shares no code
 * with the service.
 */

import { ORDER_LETTERS } from "./naive_order.ts";
import { type NaiveWord, naiveWords } from "./naive_search.ts";

const STOP_WORDS = new Set((
  "a an and are as at be but by for from had has have he her his in is it its my of on or our " +
  "she so that the their they this to was we were with you your aber als am auch auf aus bei das " +
  "dem den der des die ein eine einem einen einer es fur hat ich ihr im ist mein mit nach nicht " +
  "oder sie sind und uns von vor wie wir zu zum zur"
).split(" "));

const SPELT_LETTERS: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe" };

interface FormedWord extends NaiveWord {
  readonly folded: string;
  readonly forms: readonly string[];
}

export interface NaiveRecord {
  readonly recordId: string;
  readonly moduleCode: string;
  readonly title: string;
  /** Title, summary, then the others. */
  readonly texts: readonly string[];
  /** The own time; null without one. */
  readonly time: string | null;
  readonly createdAt: string;
  /** The forms of the names and aliases of its active tags. */
  readonly tags: readonly string[];
}

function mapLetters(text: string, letters: Readonly<Record<string, string>>): string {
  return Array.from(text, (letter) => letters[letter] ?? letter).join("");
}

function wordTexts(folded: string): string[] {
  return naiveWords(folded).map(({ points }) => points.join(""));
}

export function formed(text: string): FormedWord[] {
  const spelt = wordTexts(
    mapLetters(
      text.normalize("NFKC").replaceAll(/[ÄÖÜÅØ]/g, (one) => one.toLowerCase()),
      SPELT_LETTERS,
    ),
  );
  return naiveWords(text).map((word, index) => {
    const folded = word.points.join("");
    return {
      ...word,
      folded,
      forms: [folded, mapLetters(folded, ORDER_LETTERS), spelt[index] ?? folded],
    };
  });
}

export function tagForm(name: string): string {
  return wordTexts(name).map((word) => mapLetters(word, ORDER_LETTERS)).join(" ");
}

function isEqual(asked: FormedWord, word: FormedWord): boolean {
  return asked.forms.some((form) => word.forms.includes(form));
}

function matches(asked: FormedWord, word: FormedWord): boolean {
  if (asked.isUnspaced !== word.isUnspaced) return false;
  if (asked.isUnspaced) return word.folded.includes(asked.folded);
  if (asked.points.length === 1) return isEqual(asked, word);
  return asked.forms.some((form) => word.forms.some((whole) => whole.startsWith(form)));
}

/** True if one edit makes `a` of `b`, neighbours exchanged included. */
function isOneEdit(a: string, b: string): boolean {
  const [left, right] = [[...a], [...b]];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  const [restA, restB] = [left.slice(start), right.slice(start)];
  const tail = (rest: string[], from: number) => rest.slice(from).join("");
  return a !== b && (
    tail(restA, 1) === tail(restB, 1) || tail(restA, 1) === tail(restB, 0) ||
    tail(restA, 0) === tail(restB, 1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && tail(restA, 2) === tail(restB, 2))
  );
}

function isClose(asked: FormedWord, word: FormedWord): boolean {
  const { folded } = asked;
  const isOfOneAlphabet = [/^[a-z]{4,}$/, /^[α-ω]{4,}$/, /^[а-я]{4,}$/].some((one) =>
    one.test(folded)
  );
  return isOfOneAlphabet && word.points.length >= 5 &&
    word.forms.some((form) => isOneEdit(folded, mapLetters(form, ORDER_LETTERS)));
}

export interface NaiveMatch {
  readonly recordId: string;
  readonly match: string;
}

/** @param knownTags The forms of active tags that the reader may read. */
export function naiveBest(
  q: string,
  records: readonly NaiveRecord[],
  knownTags: ReadonlySet<string>,
): NaiveMatch[] {
  const tags: string[] = [];
  const rest = q.split(/(?<=\s)|(?=\s)/).map((part) => {
    const isToken = /^#[\p{L}\p{M}\p{Nd}]/u.test(part);
    if (!isToken || !knownTags.has(tagForm(part.slice(1)))) return part;
    tags.push(tagForm(part.slice(1)));
    return "";
  }).join("");
  const words = formed(rest);
  const others = words.filter(({ folded }) => !STOP_WORDS.has(folded));
  const counted = others.length > 0 || tags.length > 0 ? others : words;
  const distinct = new Set(counted.map(({ forms }) => forms.join())).size;
  const found = records.flatMap((record) => {
    if (!tags.every((tag) => record.tags.includes(tag))) return [];
    const match = classOf(record, words, counted, distinct <= 4);
    return match === null ? [] : [{ match, record }];
  });
  const classes = ["EXACT", "START", "TITLE", "TEXT", "CLOSE", "TAG"];
  const rank = ({ match, record }: typeof found[number]) =>
    [
      String(classes.indexOf(match)),
      record.moduleCode === "relationship" ? "0" : "1",
    ].join();
  const place = ({ record }: typeof found[number]) =>
    (record.time ?? record.createdAt) + record.recordId;
  return found
    .sort((a, b) => {
      const [left, right] = [rank(a), rank(b)];
      if (left !== right) return left < right ? -1 : 1;
      return place(a) < place(b) ? 1 : -1;
    })
    .map(({ match, record }) => ({ recordId: record.recordId, match }));
}

function classOf(
  { title, texts }: NaiveRecord,
  words: readonly FormedWord[],
  counted: readonly FormedWord[],
  mayBeClose: boolean,
): string | null {
  const held = formed(title);
  const inTitle = (word: FormedWord) => held.some((other) => matches(word, other));
  const pairs = words.flatMap((word, index) =>
    held.slice(index, index + 1).map((one) => [word, one] as const)
  );
  const last = pairs.at(-1);
  if (last !== undefined && pairs.length === words.length) {
    const isBegun = pairs.slice(0, -1).every(([word, one]) => isEqual(word, one));
    const [asked, other] = last;
    if (isBegun && isEqual(asked, other) && held.length === words.length) return "EXACT";
    const startsWord = isEqual(asked, other) || (matches(asked, other) &&
      (!asked.isUnspaced || other.folded.startsWith(asked.folded)));
    if (isBegun && startsWord) return "START";
  }
  if (counted.length === 0) return "TAG";
  if (counted.every(inTitle)) return "TITLE";
  const all = texts.flatMap(formed);
  const inText = (word: FormedWord) => all.some((other) => matches(word, other));
  if (counted.every(inText)) return "TEXT";
  const isNear = (word: FormedWord) => inText(word) || held.some((other) => isClose(word, other));
  return mayBeClose && counted.every(isNear) ? "CLOSE" : null;
}
