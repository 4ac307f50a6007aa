/**
 * Reads exported memories by the documents' description alone, and makes memories that are hard to
 * export. Shares no code with the writer.
 */

import type { Memory } from "../../../src/families/memory/memory.ts";
import type { Random } from "../../support/random.ts";

/** Fields by name. */
export type ReadMemory = Record<string, unknown>;

export function readJsonExport(content: string): ReadMemory[] {
  const { format, version, memories, ...others } = JSON.parse(content);
  if (format !== "prs-memory" || version !== 1) throw new SyntaxError("Another format");
  if (Object.keys(others).length > 0) throw new SyntaxError("Undescribed members");
  return memories;
}

/** Rejects lines that the description does not allow. */
export function readMarkdownExport(content: string): ReadMemory[] {
  const lines = content.split("\n");
  if (lines.pop() !== "") throw new SyntaxError("The document ends within a line");
  const memories: ReadMemory[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const memory = memories.at(-1);
    if (line === "---") {
      const end = lines.indexOf("---", at + 1);
      memories.push(readFrontMatter(lines.slice(at + 1, end)));
      at = end;
    } else if (line.startsWith("## ") && memory !== undefined) {
      const end = endOfBlock(lines, at + 2);
      const name = line.slice(3);
      if (lines[at + 1] !== "" || memory[name] !== null) throw new SyntaxError(`At ${line}`);
      memory[name] = lines.slice(at + 3, end).join("\n");
      at = end;
    } else if (line !== "" && !line.startsWith("# ")) {
      throw new SyntaxError(`A line outside every block: ${line}`);
    }
  }
  return memories;
}

function endOfBlock(lines: readonly string[], start: number): number {
  const fence = lines[start] ?? "";
  const end = lines.indexOf(fence, start + 1);
  if (!/^`{3,}$/.test(fence) || end === -1) throw new SyntaxError("A block without an end");
  const inside = lines.slice(start + 1, end);
  // Markdown readers may end a fence at a longer or indented run.
  if (inside.some((line) => line.includes(fence))) throw new SyntaxError("A fence within a block");
  return end;
}

function readFrontMatter(lines: readonly string[]): ReadMemory {
  const fields = Object.fromEntries(lines.map((line) => {
    const match = /^([a-zA-Z]+): (.+)$/.exec(line);
    if (match === null) throw new SyntaxError(`Not a YAML field: ${line}`);
    return [match[1], new YamlLine(match[2] as string).read()];
  }));
  if (Object.keys(fields).length !== lines.length) throw new SyntaxError("A repeated field");
  const { format, version, ...memory } = fields;
  if (format !== "prs-memory" || version !== 1) throw new SyntaxError("Another format");
  return { ...memory, originalContent: null, currentContent: null, aiDraft: null };
}

/** Escapes common to YAML and JSON. */
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Parses a value valid in both YAML 1.1 and 1.2: null, a number, a quoted text, a flow mapping. */
class YamlLine {
  #rest: string;

  constructor(line: string) {
    // Others are line breaks or forbidden in one version.
    if (
      !/^[\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u.test(
        line,
      )
    ) {
      throw new SyntaxError(`A character that YAML does not print: ${JSON.stringify(line)}`);
    }
    this.#rest = line;
  }

  read(): unknown {
    const value = this.#value();
    if (this.#rest !== "") throw new SyntaxError(`More than a value: ${this.#rest}`);
    return value;
  }

  #value(): unknown {
    if (this.#rest.startsWith('"')) return this.#text();
    if (this.#rest.startsWith("{")) return this.#mapping();
    const plain = this.#take(/^(?:null|0|-?[1-9][0-9]*)(?![^ ,}])/);
    return plain === "null" ? null : Number(plain);
  }

  #mapping(): Record<string, unknown> {
    const mapping: Record<string, unknown> = {};
    let delimiter = this.#take(/^\{ ?\}?/);
    while (!delimiter.endsWith("}")) {
      const key = this.#text();
      this.#take(/^: ?/);
      mapping[key] = this.#value();
      delimiter = this.#take(/^(?:, ?| ?\})/);
    }
    return mapping;
  }

  #text(): string {
    this.#take(/^"/);
    let text = "";
    for (;;) {
      text += this.#take(/^[^"\\]*/);
      if (this.#take(/^["\\]/) === '"') return text;
      const code = this.#take(/^(?:u[0-9a-f]{4}|["\\bfnrt])/i);
      text += code.length === 1 ? ESCAPES[code] : String.fromCharCode(parseInt(code.slice(1), 16));
    }
  }

  #take(pattern: RegExp): string {
    const taken = pattern.exec(this.#rest)?.[0];
    if (taken === undefined) throw new SyntaxError(`Not YAML: ${this.#rest}`);
    this.#rest = this.#rest.slice(taken.length);
    return taken;
  }
}

/** End blocks, begin sections, or change in a careless reader. */
const HOSTILE_PIECES = [
  "\n---\n",
  "\r---\r",
  "---\nformat: prs-memory\nversion: 1\n---\n",
  "\n\n",
  "\r\n",
  "  \n",
  "\n## currentContent\n\n```\nforged\n```\n",
  "# Heading\n",
  "aiDraft: null\n",
  "%YAML 1.2\n",
  "\n```\n",
  "\n````md\n",
  "`".repeat(40),
  "\n~~~~\n",
  "    ```\n",
  ": ",
  " #",
  "<!-- -->",
  "Words of a person. ",
  ..."--- ... ` `` ``` ```` ~~~".split(" "),
  ..."\n\r\t \u2028\u2029\u0085\u000b\f\u0001\u007f",
  ..."\ufeff\ufffe\uffff\ufdd0\u{1fffe}\u{10ffff}\u200b\u202e",
  ..."\"'\\{}[]~🙂é\u00a0a",
  ..."\\n \\u0041 \\x41 \\N &a *a !! null yes 2026-11-20".split(" "),
  ..."<script> ![](http://x) $& ${x} %00".split(" "),
  ..."e\u0301 漢字 👩‍👩‍👧 عربى".split(" "),
];

/** Up to this many pieces. */
export function hostileText(random: Random, pieces: number): string {
  return Array.from({ length: random.integer(0, pieces) }, () => random.pick(HOSTILE_PIECES)).join(
    "",
  );
}

/** Hostile texts, optional fields. */
export function randomMemory(random: Random): Memory {
  const text = () => hostileText(random, 12);
  const timestamp = () => new Date(random.integer(-62135596800000, 253402300799999)).toISOString();
  const optional = <T>(make: () => T): T | null => random.chance(0.4) ? null : make();
  return {
    memoryId: random.ulid(),
    title: text(),
    summary: text(),
    memoryType: random.pick(["EVENT", "DREAM", "OTHER"]),
    originalContent: text(),
    currentContent: text(),
    occurredAt: optional(timestamp),
    timePrecision: optional(() => random.pick(["EXACT", "SEASON", "LIFE_PERIOD"] as const)),
    timeText: optional(text),
    timeRange: optional(() => ({ from: timestamp(), to: timestamp() })),
    localTimes: random.pick([{}, { occurredAt: "1985-01-10T21:00:00.000-03:30" }]),
    importance: optional(() => random.integer(1, 5)),
    aiDraft: optional(text),
    aiDraftProvider: optional(text),
    aiDraftModel: optional(text),
    privacyLevel: random.pick(["NORMAL", "PRIVATE", "SECRET"]),
    revision: random.integer(1, 1_000_000),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    archivedAt: optional(timestamp),
  };
}
