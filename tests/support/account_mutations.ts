/** Seeded damage to account files: each is no account file any more, or one of another account. */

import { createHash } from "node:crypto";
import { canonicalJson } from "../../src/validate/canonical.ts";
import { fileOf } from "./account_file.ts";
import type { Random } from "./random.ts";
import type { Json } from "./world.ts";

/** A damaged file, and what was done to it. */
export interface Damaged {
  readonly label: string;
  readonly file: string | Uint8Array;
}

type Damage = (random: Random, file: string) => string | Uint8Array;

/** What is done to the text: the manifest is not made anew. */
const TO_TEXT: Readonly<Record<string, Damage>> = {
  cut: (random, file) => file.slice(0, random.integer(0, file.length - 1)),
  "without a line": (random, file) =>
    onLines(file, (lines) => {
      lines.splice(random.integer(0, lines.length - 1), 1);
    }),
  "lines in another order": (random, file) =>
    onLines(file, (lines) => {
      const [one, other] = [
        random.integer(0, lines.length - 2),
        random.integer(0, lines.length - 2),
      ];
      const at = one === other ? other + 1 : other;
      [lines[one], lines[at]] = [lines[at] ?? "", lines[one] ?? ""];
      if (lines[one] === lines[at]) lines.pop();
    }),
  "a line twice": (random, file) =>
    onLines(file, (lines) => {
      const at = random.integer(0, lines.length - 1);
      lines.splice(at, 0, lines[at] ?? "");
    }),
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
  "a long line": (random, file) =>
    onLines(file, (lines) => {
      lines.splice(random.integer(0, lines.length - 1), 0, "[".repeat(9 * 1024 * 1024));
    }),
  "a deep line": (random, file) =>
    onLines(file, (lines) => {
      const depth = random.integer(40, 100_000);
      const deep = `{"x":${"[".repeat(depth)}${"]".repeat(depth)}}`;
      lines.splice(random.integer(1, lines.length - 1), 0, deep);
    }),
};

type LineDamage = (random: Random, lines: Json[]) => void;

/** What is done to the lines, of which the manifest is made anew: it agrees, and they do not. */
const TO_LINES: Readonly<Record<string, LineDamage>> = {
  "an unknown type": (random, lines) => {
    lines.splice(random.integer(0, lines.length), 0, { type: random.text(2, 9) });
  },
  "a line twice under a new manifest": (random, lines) => {
    const at = random.integer(0, lines.length - 1);
    lines.splice(at, 0, lines[at]);
  },
  "the order of types": (random, lines) => {
    const at = lines.findIndex(({ type }) => type === "memory");
    lines.unshift(...lines.splice(at + random.integer(0, 1), 1));
  },
  "a member less": (random, lines) => {
    const object = random.pick(objectsIn(random.pick(lines)));
    delete object[random.pick(Object.keys(object))];
  },
  "a member more": (random, lines) => {
    random.pick(objectsIn(random.pick(lines)))[`x${random.integer(0, 9)}`] = 1;
  },
  "an identifier of a stranger": (random, lines) => {
    const [object, name] = random.pick(membersIn(lines, /^(revisionId|recordId|termId|memoryId)$/));
    object[name] = name === "revisionId" ? "" : random.ulid();
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
  "a revision less or more": (random, lines) => {
    const line = random.pick(lines.filter(({ revisions }) => revisions !== undefined));
    if (random.chance(0.5)) line.revisions.pop();
    else line.revisions.push({ ...line.revisions.at(-1), revision: line.revisions.length + 1 });
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

/** A file with one damage. */
export function damage(random: Random, file: string): Damaged {
  const labels = [...Object.keys(TO_TEXT), ...Object.keys(TO_LINES)];
  const label = random.pick(labels);
  const toText = TO_TEXT[label];
  if (toText !== undefined) return { label, file: toText(random, file) };
  const lines: Json[] = file.trimEnd().split("\n").slice(1, -1).map((line) => JSON.parse(line));
  TO_LINES[label]?.(random, lines);
  return { label, file: fileOf(lines.map((line) => canonicalJson(line))) };
}

function onLines(file: string, change: (lines: string[]) => void): string {
  const lines = file.trimEnd().split("\n");
  change(lines);
  return lines.map((line) => `${line}\n`).join("");
}

/** A line, and the objects in its lists. */
function objectsIn(line: Json): Json[] {
  return [line, ...line.revisions ?? [], ...line.slices ?? []];
}

function membersIn(lines: Json[], names: RegExp): [object: Json, name: string][] {
  return lines.flatMap(objectsIn).flatMap((object) =>
    Object.keys(object).filter((name) => name !== "type" && names.test(name))
      .map((name): [Json, string] => [object, name])
  );
}

function digest(random: Random): string {
  return createHash("sha256").update(random.ulid()).digest("hex");
}
