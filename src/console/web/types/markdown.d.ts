/** Types of `markdown/`. */

type MarkdownWords = readonly MarkdownWord[];

type MarkdownWord = string | MarkdownNested | { kind: "code"; text: string; depth?: 0 };

interface MarkdownNested {
  /** A picture's words describe it. */
  kind: "emphasis" | "strong" | "link" | "picture";
  /** For a link to another place. */
  href?: string;
  /** The attachment of a picture, or of a link to a file. */
  file?: string;
  children: MarkdownWords;
  /** Levels of elements, with its own. */
  depth: number;
}

interface MarkdownParagraph {
  kind: "paragraph";
  children: MarkdownWords;
}

interface MarkdownHeading {
  kind: "heading";
  /** From 2 to 6. */
  level: number;
  children: MarkdownWords;
}

interface MarkdownList {
  kind: "list";
  mark: string;
  /** Null for a list without numbers. */
  start: number | null;
  children: MarkdownBlock[];
}

/** The text itself, an item of a list, or a quote. */
interface MarkdownBox {
  kind: "text" | "item" | "quote";
  /** The words of an item begin at this column. */
  indent: number;
  /** Null without a box to check. */
  checked: boolean | null;
  children: MarkdownBlock[];
}

interface MarkdownCode {
  kind: "code";
  text: string;
}

interface MarkdownTable {
  kind: "grid";
  head: readonly MarkdownWords[];
  rows: readonly (readonly MarkdownWords[])[];
}

type MarkdownBlock =
  | MarkdownParagraph
  | MarkdownHeading
  | MarkdownList
  | MarkdownBox
  | MarkdownCode
  | MarkdownTable
  | { kind: "rule" };

type MarkdownPart = MarkdownWord | EmphasisRun;

type AddPart = (at: number, end: number, part?: MarkdownPart) => number;

interface EmphasisRun {
  kind: "run";
  run: string;
  canOpen: boolean;
  canClose: boolean;
}

/** The words after a run. */
interface EmphasisFrame {
  run: string;
  canClose: boolean;
  /** Signs that are not used yet. */
  left: number;
  /** Higher for a later one. */
  number: number;
  children: MarkdownWord[];
  /** Levels of elements in its words. */
  depth: number;
}

type NestParts = (parts: readonly MarkdownPart[], isLink?: boolean) => EmphasisFrame;

type CloseRun = (
  frames: EmphasisFrame[],
  run: EmphasisRun,
  /** By kind of a run: no frame up to this number fits. */
  searched: number[],
) => number;

type FrameOf = (
  opener: { run: string; canClose?: boolean },
  left: number,
  number: number,
) => EmphasisFrame;

type JoinFrames = (frames: EmphasisFrame[], at: number) => EmphasisFrame;

interface OpenParagraph {
  kind: "paragraph";
  block: MarkdownParagraph;
  lines: string[];
}

interface OpenCode {
  kind: "code";
  block: MarkdownCode;
  lines: string[];
  mark: string;
  indent: number;
}

interface OpenTable {
  kind: "grid";
  rows: MarkdownWords[][];
}

type OpenLeaf = OpenParagraph | OpenCode | OpenTable;

type BeginBlock = (
  rest: string,
  kept: number,
  leaf: OpenLeaf | null,
) => { rest: string; kept: number } | null;

type ChangeParagraph = (paragraph: OpenParagraph, rest: string) => boolean;

type ListOf = (
  children: MarkdownBlock[],
  mark: string,
  number: string | undefined,
) => MarkdownList;
