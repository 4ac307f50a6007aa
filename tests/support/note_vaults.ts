/** Vaults with notes whose links are written in all forms, and a slow finder of their files. */

import { Archive } from "../../src/imports/archive/archive.ts";
import { NoteFiles } from "../../src/imports/converters/note_files.ts";
import { ReadingBudget } from "../../src/imports/reading_budget.ts";
import { sha256Hex } from "../../src/core/digest.ts";
import type { FileSink } from "../../src/imports/converters/converter.ts";
import type { Random } from "./random.ts";

/** An archive of files that contain their own paths. */
export async function vaultOf(paths: readonly string[]): Promise<Archive> {
  const archive = new Archive(
    paths.map((name, index) => {
      const bytes = new TextEncoder().encode(name);
      const facts = { place: index + 1, name, shownName: name, size: bytes.length };
      return { ...facts, modified: null, bytes: () => once(bytes) };
    }),
    0,
  );
  await archive.check(() => {});
  return archive;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** A store of files that only digests them. */
function digestOnly(): Promise<FileSink> {
  const parts: number[] = [];
  return Promise.resolve({
    write: (bytes) => Promise.resolve(void parts.push(...bytes)),
    end: () => Promise.resolve({ sha256: sha256Hex(new Uint8Array(parts)), size: parts.length }),
  });
}

export function noteFilesOf(archive: Archive | null): Promise<NoteFiles> {
  return NoteFiles.of(archive, new ReadingBudget({ fileBytes: 1024 ** 2 }), digestOnly);
}

/** The file that an address means, by the words of the contract; null for none. */
export function slowFind(
  paths: readonly string[],
  { address, isWiki, note }: { address: string; isWiki: boolean; note: string },
): string | null {
  const tops = new Set(paths.map((path) => path.split("/").slice(0, -1)[0] ?? ""));
  const top = tops.size === 1 ? `${[...tops][0]}/` : "";
  const folder = note.split("/").slice(0, -1);
  const whole = [decoded(address), address];
  const parts = address.split(/[?#]/)[0] ?? "";
  for (const form of [...whole, decoded(parts), parts]) {
    const own = resolved([...folder, form].join("/"));
    const fromTop = [resolved(form), resolved(`${top}${form}`)];
    const places = isWiki || form.startsWith("/") ? [...fromTop, own] : [own, ...fromTop];
    for (const alike of [same, sameLetters]) {
      for (const place of places) {
        const [file] = paths.filter((path) => place !== null && alike(path, place)).sort();
        if (file !== undefined && form !== "") return file;
      }
    }
    for (const alike of [same, sameLetters]) {
      const named = paths.filter((path) => alike(base(path), base(form)));
      if (named.length === 1) return named[0] ?? null;
      if (form.includes("/") || named.length === 0) continue;
      const shared = (path: string) => {
        const own = path.split("/").slice(0, -1);
        const count = own.findIndex((part, index) => part !== folder[index]);
        return count === -1 ? own.length : count;
      };
      named.sort((one, other) =>
        shared(other) - shared(one) || one.length - other.length || (one < other ? -1 : 1)
      );
      return named[0] ?? null;
    }
  }
  return null;
}

const same = (one: string, other: string) => one.normalize() === other.normalize();
const sameLetters = (one: string, other: string) => same(one.toLowerCase(), other.toLowerCase());
const base = (path: string) => path.split("/").at(-1) ?? "";

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

function resolved(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split("/").filter((part) => part !== "" && part !== ".")) {
    if (part === ".." && parts.pop() === undefined) return null;
    if (part !== "..") parts.push(part);
  }
  return parts.join("/");
}

const FOLDERS = ["Notes", "img", "Im Garten", "Café", "a (1)", "2024"];
const NAMES = ["plan", "Plan", "my pic", "Cafe\u0301", "100%", "x (1)", "IMG_2", "a&b", "no[te"];
const ENDINGS = [".png", ".PNG", ".pdf", ".txt", ".md", ".jpeg"];

/** Distinct paths; some in a sole top folder. */
export function generatedPaths(random: Random, count: number): string[] {
  const top = random.chance(0.3) ? ["My vault"] : [];
  const paths = Array.from({ length: count }, () => {
    const folders = Array.from({ length: random.integer(0, 3) }, () => random.pick(FOLDERS));
    return [...top, ...folders, random.pick(NAMES) + random.pick(ENDINGS)].join("/");
  });
  return [...new Set(paths)];
}

/** An address as people write it, of a file or of a missing one. */
export function generatedAddress(random: Random, paths: readonly string[], note: string): string {
  const path = random.pick(paths);
  const up = "../".repeat(note.split("/").length - 1);
  let address = random.pick([path, base(path), up + path, `./${base(path)}`, `/${path}`]);
  if (random.chance(0.2)) address = path.split("/").slice(1).join("/") || path;
  if (random.chance(0.1)) address = `gone/${random.pick(NAMES)}.gif`;
  if (random.chance(0.2)) address = random.pick([address.toLowerCase(), address.toUpperCase()]);
  if (random.chance(0.2)) address = address.normalize();
  if (random.chance(0.3)) address = encodeURI(address);
  return random.chance(0.1) ? `${address}${random.pick(["?raw=1", "#page=2"])}` : address;
}

export interface WrittenLink {
  readonly address: string;
  readonly form: "markdown" | "html" | "wiki";
  readonly isEmbed: boolean;
  readonly before: string;
  /** The address with its brackets. */
  readonly written: string;
  readonly after: string;
}

/** Writes an address in a form that can hold it. */
export function generatedLink(random: Random, address: string): WrittenLink {
  const [before, after, form, isEmbed] = random.pick(
    [
      ["!", "]]", "wiki", true],
      ["", "]]", "wiki", false],
      ["!", "|300]]", "wiki", true],
      ["", "|the [one] words]]", "wiki", false],
      ["![a [b] c](", ")", "markdown", true],
      ["[a ![b] `]` c](", ")", "markdown", false],
      ["![](", ' "A (title")', "markdown", true],
      ["[x](  ", " 'title' )", "markdown", false],
      ["[![](https://a.example/x.png)](", ")", "markdown", false],
      ["\n\n[x]: ", ' "title"\n\n', "markdown", false],
      ['<img alt="a > b" SRC="', '" width=3>', "html", true],
      ["<a class=x href='", "'>words</a>", "html", false],
      ["<object\n  data='", "'></object>", "html", true],
    ] as const,
  );
  if (form === "wiki") {
    const isHeld = !/[[\]|]/.test(address);
    if (!isHeld) return generatedLink(random, address);
    return {
      address,
      form,
      isEmbed,
      before: "",
      written: `${before}[[${address}${after}`,
      after: "",
    };
  }
  const isDefinition = before.startsWith("\n");
  const isAngle = form === "markdown" &&
    (isDefinition || /[()]/.test(address) || random.chance(0.3));
  const written = isAngle ? `<${address}>` : address;
  return { address, form, isEmbed, before, written, after };
}

/** Text in which nothing is an address. */
export function generatedWords(random: Random): string {
  return random.pick([
    "Some words, [one] and [two] (three).",
    "`![](plan.png) [[plan.png]]`",
    "``a ` <img src='plan.png'>``",
    "<!-- ![](plan.png)\n\n[[plan.png]] -->",
    "\n```md\n![[plan.png]]\n[x]: plan.png\n```\n",
    "\n> ~~~~\n> ![](plan.png)\n> ~~~\n> ~~~~\n",
    "\n- one ` mark\n- [ ] task\n\n",
    "attachment:plan.png and plan.png, !, [, ![",
    "\\[[plan.png] \\![x\\](plan.png)",
    "<https://a.example/[x](plan.png)> [p](https://a.example/plan.png)",
    "\r\n# A heading #tag\r\n",
    " Größe 漢字 🚀 ",
  ]);
}
