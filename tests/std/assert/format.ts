/** Renders values and their differences for failure messages. */

/** Beyond this, finding the smallest difference takes longer than reading a larger one. */
const MAX_LINE_PAIRS = 4_000_000;

/** Sorts keys, so that equal values look the same. */
export function format(value: unknown): string {
  return Deno.inspect(value, {
    colors: false,
    compact: false,
    depth: Infinity,
    getters: true,
    iterableLimit: Infinity,
    sorted: true,
    strAbbreviateSize: Infinity,
    trailingComma: true,
  });
}

/** `-` marks actual, `+` expected lines. */
export function formatDifference(actual: unknown, expected: unknown): string {
  const actualLines = toLines(actual);
  const expectedLines = toLines(expected);
  const lines = compareLines(actualLines, expectedLines);
  const heading = actualLines.join() === expectedLines.join()
    ? "Both values read the same, but differ in class, identity or hidden state"
    : "[Diff] - actual / + expected";
  return [heading, "", ...lines].join("\n");
}

function toLines(value: unknown): string[] {
  return typeof value === "string" ? splitText(value) : format(value).split("\n");
}

/** Quotes lines, so that white space is visible. */
function splitText(text: string): string[] {
  return text.split(/(?<=\n)/).map((line) => JSON.stringify(line));
}

function compareLines(actual: string[], expected: string[]): string[] {
  const shorter = Math.min(actual.length, expected.length);
  let start = 0;
  while (start < shorter && actual[start] === expected[start]) start++;
  let end = 0;
  while (end < shorter - start && actual.at(-1 - end) === expected.at(-1 - end)) end++;
  return [
    ...actual.slice(0, start).map(unchanged),
    ...compareChangedLines(
      actual.slice(start, actual.length - end),
      expected.slice(start, expected.length - end),
    ),
    ...actual.slice(actual.length - end).map(unchanged),
  ];
}

/** Keeps as many common lines as possible. */
function compareChangedLines(actual: string[], expected: string[]): string[] {
  if (actual.length * expected.length > MAX_LINE_PAIRS) {
    return [...actual.map(removed), ...expected.map(added)];
  }
  const common = countCommonLines(actual, expected);
  const lines: string[] = [];
  let a = 0;
  let e = 0;
  for (;;) {
    const actualLine = actual[a];
    const expectedLine = expected[e];
    if (actualLine === undefined) return [...lines, ...expected.slice(e).map(added)];
    if (expectedLine === undefined) return [...lines, ...actual.slice(a).map(removed)];
    if (actualLine === expectedLine) {
      lines.push(unchanged(actualLine));
      a++;
      e++;
    } else if (countAt(common, a + 1, e) >= countAt(common, a, e + 1)) {
      lines.push(removed(actualLine));
      a++;
    } else {
      lines.push(added(expectedLine));
      e++;
    }
  }
}

/** The length of the longest common subsequence from every pair of positions on. */
function countCommonLines(actual: string[], expected: string[]): number[][] {
  const counts: number[][] = [];
  for (let a = actual.length - 1; a >= 0; a--) {
    const row = new Array<number>(expected.length).fill(0);
    counts[a] = row;
    for (let e = expected.length - 1; e >= 0; e--) {
      row[e] = actual[a] === expected[e]
        ? countAt(counts, a + 1, e + 1) + 1
        : Math.max(countAt(counts, a + 1, e), countAt(counts, a, e + 1));
    }
  }
  return counts;
}

/** 0 past the end of a list. */
function countAt(counts: number[][], a: number, e: number): number {
  return counts[a]?.[e] ?? 0;
}

function unchanged(line: string): string {
  return `    ${line}`;
}

function removed(line: string): string {
  return `-   ${line}`;
}

function added(line: string): string {
  return `+   ${line}`;
}
