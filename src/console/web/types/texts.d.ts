// deno-lint-ignore-file no-explicit-any
/** Texts and values, and the differences between them. */

type GroupTexts = Record<string, string>;

type Texts = Readonly<Record<string, string>>;

type Values = Readonly<Record<string, any>>;

interface DiffPart {
  kind: "same" | "removed" | "added";
  items: string[];
}

type Diff = (before: readonly string[], after: readonly string[]) => DiffPart[];

/** By diagonal (position before minus position after): the end of its best path. */
type DiffEnds = ReadonlyMap<number, number>;

interface TextPart {
  kind: "same" | "removed" | "added";
  text: string;
}
