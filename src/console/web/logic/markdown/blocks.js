/** Markdown as a tree, in linear time. Unknown signs stay text, and there is no HTML. */

import { MAX_DEPTH } from "./emphasis.js";
import { parseWords } from "./words.js";

const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3}([-+*]|(\d{1,9})[.)]))( +|$)/;
/** The delimiter row of a table consists of these signs. */
const DASHES = /^(?=.*\|) {0,3}[|:-][-|: ]*$/;
/** A block of settings at the beginning is code. */
const SETTINGS = /^---\n([^\s:#-][^:\n]*:[^]*?)\n(?:---|\.\.\.)(?:\n|$)/;

/** @param {string} source @returns {readonly MarkdownBlock[]} */
export function parseMarkdown(source) {
  const text = source.replaceAll(/\r\n?/g, "\n");
  const [settings = "", code] = SETTINGS.exec(text) ?? [];
  const reader = new BlockReader();
  if (code !== undefined) reader.root.children.push({ kind: "code", text: code });
  for (const line of text.slice(settings.length).split("\n")) reader.read(line);
  reader.close(1);
  return reader.root.children;
}

class BlockReader {
  root = /** @type {MarkdownBox} */ ({ kind: "text", indent: 0, checked: null, children: [] });
  /** From the text itself to the innermost quote or item. */
  #open = [this.root];
  /** The block that the next line may continue. @type {OpenLeaf | null} */
  #leaf = null;
  /** The levels of the headings above, as written. @type {number[]} */
  #levels = [];

  /** @param {string} line */
  read(line) {
    let { rest, kept } = this.#follow(untabbed(line));
    const isInside = kept === this.#open.length;
    let leaf = isInside || this.#leaf?.kind === "paragraph" ? this.#leaf : null;
    if (leaf?.kind === "code") return this.#readCode(leaf, rest);
    if (isInside && leaf?.kind === "paragraph" && this.#changes(leaf, rest)) return;
    for (let begun; (begun = this.#begin(rest, kept, leaf)) !== null; leaf = null) {
      ({ rest, kept } = begun);
    }
    const text = rest.trim();
    const hasSigns = /^[#`~*_-]/.test(text) &&
      (HEADING.test(rest) || FENCE.test(rest) || isRule(rest));
    if (leaf !== null && text !== "" && !hasSigns) {
      // A line without their signs continues a paragraph in quotes and items.
      if (leaf.kind === "paragraph") leaf.lines.push(text);
      else leaf.rows.push(cellsOf(text).map(parseWords));
      return;
    }
    this.close(kept);
    if (hasSigns) this.#readSigns(rest);
    else if (text !== "") this.#beginParagraph(text);
  }

  /** Strips the signs of the open blocks that the line continues. @param {string} line */
  #follow(line) {
    let [rest, kept] = [line, 1];
    for (let block; (block = this.#open[kept]) !== undefined; kept++) {
      const isLess = indentOf(rest) < block.indent;
      const isBlank = isLess && block.children.length > 0 && rest.trim() === "";
      if (block.kind === "quote" ? !QUOTE.test(rest) : isLess && !isBlank) break;
      rest = block.kind === "quote" ? rest.replace(QUOTE, "") : rest.slice(block.indent);
    }
    return { rest, kept };
  }

  /** Begins a quote or an item. @type {BeginBlock} */
  #begin(rest, kept, leaf) {
    if (kept > MAX_DEPTH || !/^ {0,3}[>*+\d-]/.test(rest) || isRule(rest)) return null;
    const [signs, mark = "", , number, blanks = ""] = ITEM.exec(rest) ?? [];
    const [quote] = signs === undefined ? QUOTE.exec(rest) ?? [] : [];
    if (quote === undefined && signs === undefined) return null;
    const isEmpty = signs === rest;
    // A number at the beginning of a line within a paragraph is rarely an item.
    const isWithin = signs !== undefined && leaf !== null && kept === this.#open.length;
    if (isWithin && (isEmpty || Number(number ?? 1) !== 1)) return null;
    this.close(kept);
    const { children } = this.#open.at(-1) ?? this.root;
    const indent = quote?.length ??
      mark.length + (isEmpty || blanks.length > 4 ? 1 : blanks.length);
    const kind = quote === undefined ? "item" : "quote";
    /** @type {MarkdownBox} */
    const block = { kind, indent, checked: null, children: [] };
    (kind === "quote" ? children : listOf(children, mark.slice(-1), number).children).push(block);
    return { rest: rest.slice(indent), kept: this.#open.push(block) };
  }

  /** Makes a paragraph a heading or a table. @type {ChangeParagraph} */
  #changes({ lines, block }, rest) {
    const cells = lines.length === 1 && DASHES.test(rest) ? cellsOf(rest) : [];
    const head = cells.length > 0 ? cellsOf(lines[0] ?? "") : [];
    const isTable = head.length > 0 && head.length === cells.length &&
      cells.every((cell) => /^:?-+:?$/.test(cell));
    if (/^ {0,3}(?:=+|-+) *$/.test(rest)) {
      Object.assign(block, { kind: "heading", level: this.#levelOf(rest.includes("=") ? 1 : 2) });
      this.close();
    } else if (isTable) {
      /** @type {MarkdownWords[][]} */
      const rows = [];
      Object.assign(block, { kind: "grid", head: head.map(parseWords), rows });
      this.#leaf = { kind: "grid", rows };
    } else return false;
    return true;
  }

  /** @param {string} text */
  #beginParagraph(text) {
    const box = this.#open.at(-1) ?? this.root;
    const task = box.kind === "item" && box.children.length === 0 && /^\[([ xX])\] +/.exec(text);
    if (task) box.checked = task[1] !== " ";
    const lines = [task ? text.slice(task[0].length) : text];
    /** @type {MarkdownParagraph} */
    const block = { kind: "paragraph", children: [] };
    box.children.push(block);
    this.#leaf = { kind: "paragraph", block, lines };
  }

  /** A heading, a rule or the beginning of code. @param {string} rest */
  #readSigns(rest) {
    const { children } = this.#open.at(-1) ?? this.root;
    const [signs = "", marks] = HEADING.exec(rest) ?? [];
    const [fence, before = "", mark = ""] = FENCE.exec(rest) ?? [];
    if (marks !== undefined) {
      const words = parseWords(rest.slice(signs.length).trim().replace(/(?:^| )#+$/, "").trim());
      children.push({ kind: "heading", level: this.#levelOf(marks.length), children: words });
    } else if (fence !== undefined) {
      /** @type {MarkdownCode} */
      const block = { kind: "code", text: "" };
      children.push(block);
      this.#leaf = { kind: "code", block, lines: [], mark, indent: before.length };
    } else children.push({ kind: "rule" });
  }

  /** @param {OpenCode} code @param {string} rest */
  #readCode({ lines, mark, indent }, rest) {
    const end = rest.trim();
    const isEnd = end.startsWith(mark) && end === mark.charAt(0).repeat(end.length);
    if (isEnd && indentOf(rest) < 4) this.close();
    else lines.push(rest.slice(Math.min(indent, indentOf(rest))));
  }

  /** The highest heading is of level 2, and no level is skipped. @param {number} written */
  #levelOf(written) {
    while ((this.#levels.at(-1) ?? 0) >= written) this.#levels.pop();
    return Math.min(6, this.#levels.push(written) + 1);
  }

  /** Ends the last leaf, and all open blocks but the first ones. @param {number} [kept] */
  close(kept = this.#open.length) {
    const leaf = this.#leaf;
    if (leaf?.kind === "code") leaf.block.text = leaf.lines.join("\n");
    if (leaf?.kind === "paragraph") leaf.block.children = parseWords(leaf.lines.join("\n"));
    this.#leaf = null;
    this.#open.length = kept;
  }
}

/** The list that an item continues, or else a new one. @type {ListOf} */
function listOf(children, mark, number) {
  const last = children.at(-1);
  if (last?.kind === "list" && last.mark === mark) return last;
  children.push({ kind: "list", mark, start: number ? Number(number) : null, children: [] });
  return listOf(children, mark, number);
}

/** @param {string} row */
function cellsOf(row) {
  const cells = row.trim().replace(/^\|/, "").split(/(?<!\\)\|/);
  if (cells.length > 1 && cells.at(-1) === "") cells.pop();
  return cells.map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** @param {string} line */
function indentOf(line) {
  return line.startsWith(" ") ? line.length - line.trimStart().length : 0;
}

/** Three equal signs or more. @param {string} rest */
function isRule(rest) {
  if (!/^ {0,3}[*_-]/.test(rest) || /[^\s*_-]/.test(rest)) return false;
  return /^(?:\*{3,}|-{3,}|_{3,})$/.test(rest.replace(/\s+/g, ""));
}

/** Tabs before the words become spaces. @param {string} line */
function untabbed(line) {
  const [signs = ""] = line.includes("\t") ? /^[\s>*+\-\d.)]*/.exec(line) ?? [] : [];
  const spaced = signs.split("\t").reduce((all, part) =>
    all + " ".repeat(4 - all.length % 4) + part
  );
  return spaced + line.slice(signs.length);
}
