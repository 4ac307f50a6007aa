/** Seeded damage to account files: the result is invalid, or another account's file. */

import { createHash } from "node:crypto";
import { LINE_TYPES } from "../../src/portability/line_types.ts";
import { canonicalJson } from "../../src/validate/canonical.ts";
import { fileOf } from "./account_file.ts";
import type { Random } from "./random.ts";
import type { Json } from "./world.ts";

export interface Damaged {
  readonly label: string;
  readonly file: BodyInit;
}

type Damage = (random: Random, file: string) => BodyInit;

/** Does not rewrite the manifest. */
const TO_TEXT: Readonly<Record<string, Damage>> = {
  "cut": (random, file) => file.slice(0, random.integer(0, file.length - 1)),
  "cut behind a line": (random, file) =>
    onLines(file, (lines) => {
      lines.length = random.integer(0, lines.length - 1);
    }),
  "without a line": (random, file) =>
    onLines(file, (lines) => {
      lines.splice(random.integer(0, lines.length - 1), 1);
    }),
  "lines in another order": (random, file) => onLines(file, (lines) => swapTwo(random, lines)),
  "a line twice": (random, file) => onLines(file, (lines) => repeatOne(random, lines)),
  "another character": (random, file) => {
    const at = random.integer(0, file.length - 1);
    const other = file[at] === "x" ? "y" : "x";
    return file.slice(0, at) + other + file.slice(at + 1);
  },
  "another digest": (random, file) =>
    file.replace(/"sha256":"[0-9a-f]{64}"\}\}\n$/, `"sha256":"${digest(random)}"}}\n`),
  "no UTF-8": (random, file) => {
    const bytes = new TextEncoder().encode(file);
    bytes[random.integer(0, bytes.length - 1)] = 0xff;
    return bytes;
  },
  "a deep line": (random, file) =>
    onLines(file, (lines) => {
      lines.splice(
        random.integer(1, lines.length - 1),
        0,
        `{"x":${deepList(random.integer(40, 100_000))}}`,
      );
    }),
  "a line of 9 MiB": (random, file) =>
    onLines(file, (lines) => {
      lines.splice(random.integer(0, lines.length - 1), 0, "[".repeat(9 * 1024 * 1024));
    }),
  "a line of 100 MB": (random, file) => {
    const at = file.indexOf("\n", random.integer(0, file.length - 2)) + 1;
    return ReadableStream.from(longLine(file.slice(0, at), file.slice(at)));
  },
};

/** Slow damages, used rarely. */
const SLOW = ["a line of 9 MiB", "a line of 100 MB"];

type LineDamage = (random: Random, lines: Json[], others: readonly Json[]) => void;

/** Rewrites the manifest: it matches, but the content is invalid. */
const TO_LINES: Readonly<Record<string, LineDamage>> = {
  "an unknown type": (random, lines) => {
    lines.splice(random.integer(0, lines.length), 0, { type: random.text(2, 9) });
  },
  "lines in another order under a new manifest": swapTwo,
  "a line twice under a new manifest": repeatOne,
  "the order of types": (random, lines) => {
    const at = lines.findIndex(({ type }) => type === "memory");
    lines.unshift(...lines.splice(at + random.integer(0, 1), 1));
  },
  "a type that others refer to is left out": (random, lines) => {
    const left = random.pick(REFERRED);
    lines.splice(0, lines.length, ...lines.filter(({ type }) => type !== left));
  },
  "a member less": (random, lines) => {
    const object = random.pick(objectsIn(random.pick(lines)));
    delete object[random.pick(Object.keys(object))];
  },
  "a member more": (random, lines) => {
    random.pick(objectsIn(random.pick(lines)))[`x${random.integer(0, 9)}`] = 1;
  },
  "an identifier twice": (random, lines) => {
    const [[one], [other]] = twoOf(random, lines.filter(isPlainRecord).map((line) => [line]));
    if (random.chance(0.5)) return void (one.recordId = other.recordId);
    one.revisionId = one.revisions.at(-1).revisionId = other.revisions[0].revisionId;
  },
  "an identifier that is none": (random, lines) => {
    const [object, name] = random.pick(membersIn(lines, /Id$/));
    object[name] = random.pick(["", "0", `${random.ulid()}0`, random.ulid().toLowerCase()]);
  },
  "an identifier that has not come": (random, lines) => {
    const [object, name] = random.pick(membersIn(lines, /^(revisionId|recordId|termId|memoryId)$/));
    object[name] = `7${random.ulid().slice(1)}`;
  },
  "a reference to what is another account's": (random, lines, others) => {
    const [line, name] = random.pick(referencesIn(lines));
    const of = (each: Json) => each[name] ?? each.recordId;
    const own = lines.map(of);
    line[name] = of(random.pick(others.filter((each) => of(each) && !own.includes(of(each)))));
  },
  "an attachment of another account": (random, lines, others) => {
    const line = random.pick(lines.filter(isPlainRecord));
    const own = lines.map(({ attachmentId }) => attachmentId);
    const { attachmentId } = random.pick(
      others.filter(({ type, attachmentId }) =>
        type === "attachment" && !own.includes(attachmentId)
      ),
    );
    line.moduleCode = "media";
    for (const object of objectsIn(line)) {
      object.payload = { mediaType: "PHOTO", fileId: attachmentId };
    }
  },
  "a time that has not come": (random, lines) => {
    const [object, name] = random.pick(membersIn(lines, /^(createdAt|updatedAt|recordedAt)$/));
    object[name] = `2${random.integer(100, 999)}-01-01T00:00:00.000Z`;
  },
  "a value of another kind": (random, lines) => {
    const [object, name] = random.pick(membersIn(lines, /^(?!payload$|content$)/));
    const value = object[name];
    object[name] = typeof value === "object" && value !== null ? random.integer(0, 9) : [value];
  },
  "a deep payload": (random, lines) => {
    for (const object of objectsIn(random.pick(lines.filter(isPlainRecord)))) {
      object.payload = { content: JSON.parse(deepList(random.integer(33, 1_000))) };
    }
  },
  "a root unlike its newest revision": (random, lines) => {
    random.pick(lines.filter(({ title, revisions }) => title && revisions)).title = "Another";
  },
  "a revision less or more": (random, lines) => {
    const line = random.pick(lines.filter(({ revisions }) => revisions !== undefined));
    if (random.chance(0.5)) line.revisions.pop();
    else line.revisions.push({ ...line.revisions.at(-1), revision: line.revisions.length + 1 });
  },
  "another number of a revision": (random, lines) => {
    const [object] = random.pick(membersIn(lines, /^revision$/));
    object.revision += random.integer(1, 3);
  },
  "wrong base64": (random, lines) => {
    const line = random.pick(lines.filter(({ type }) => type === "bytes"));
    line.base64 = random.pick([
      `${line.base64}=`,
      line.base64.slice(1),
      "!",
      "",
      `${line.base64}AAAA`,
    ]);
  },
  "another digest of an attachment": (random, lines) => {
    random.pick(lines.filter(({ type }) => type === "attachment")).sha256 = digest(random);
  },
};

/** Types that other lines refer to. */
const REFERRED = [
  ..."record execution memory term decision prediction role profile snapshot legacyPlan".split(" "),
  ..."contact experience evidence proposal evaluation statusEvent person resource".split(" "),
];

export const DAMAGES: readonly string[] = [...Object.keys(TO_TEXT), ...Object.keys(TO_LINES)];

const CHOICES = DAMAGES.flatMap((label) => Array(SLOW.includes(label) ? 1 : 20).fill(label));

/** Damages a file once; `others` are lines of an account with more of everything. */
export function damage(random: Random, file: string, others: readonly Json[]): Damaged {
  const label = random.pick(CHOICES);
  const toText = TO_TEXT[label];
  if (toText !== undefined) return { label, file: toText(random, file) };
  const lines: Json[] = file.trimEnd().split("\n").slice(1, -1).map((line) => JSON.parse(line));
  TO_LINES[label]?.(random, lines, others);
  return { label, file: fileOf(lines.map((line) => canonicalJson(line))) };
}

function onLines(file: string, change: (lines: string[]) => void): string {
  const lines = file.trimEnd().split("\n");
  change(lines);
  return lines.map((line) => `${line}\n`).join("");
}

function* longLine(before: string, after: string): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  const part = encoder.encode("x".repeat(100_000));
  yield encoder.encode(`${before}"`);
  for (let count = 0; count < 1_000; count++) yield part;
  yield encoder.encode(`"\n${after}`);
}

function deepList(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

/** Exchanges two lines, but not the last. */
function swapTwo(random: Random, lines: Json[]): void {
  const places = lines.slice(0, -1).map((_, place) => place);
  const [one, other] = twoOf(random, places);
  [lines[one], lines[other]] = [lines[other], lines[one]];
}

function repeatOne(random: Random, lines: Json[]): void {
  const at = random.integer(0, lines.length - 1);
  lines.splice(at, 0, lines[at]);
}

function twoOf<T>(random: Random, values: readonly T[]): [T, T] {
  const one = random.pick(values);
  return [one, random.pick(values.filter((value) => value !== one))];
}

function isPlainRecord({ type, moduleCode }: Json): boolean {
  return type === "record" && moduleCode === "commitment";
}

/** The line and the objects in its lists. */
function objectsIn(line: Json): Json[] {
  return [line, ...line.revisions ?? [], ...line.slices ?? []];
}

function membersIn(lines: Json[], names: RegExp): [object: Json, name: string][] {
  return lines.flatMap(objectsIn).flatMap((object) =>
    Object.keys(object).filter((name) => name !== "type" && names.test(name))
      .map((name): [Json, string] => [object, name])
  );
}

/** Members that name other lines. */
function referencesIn(lines: Json[]): [line: Json, name: string][] {
  return lines.flatMap((line) => {
    const { key = [] } = LINE_TYPES.find(({ type }) => type === line.type) ?? {};
    const own = key.at(-1)?.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    return Object.keys(line)
      .filter((name) => /(?<!^revision|^lease)Id$/.test(name) && name !== own && line[name])
      .map((name): [Json, string] => [line, name]);
  });
}

function digest(random: Random): string {
  return createHash("sha256").update(random.ulid()).digest("hex");
}
