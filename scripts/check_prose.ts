/**
 * `deno task prose`: finds sentences that are hard to understand, by the patterns below, in
 * comments, OpenAPI texts, the console's English texts, task descriptions and chapters. It names
 * the file and line of each, and fails if there is one.
 */

/** A text, and the line of its file on which it begins. */
export interface Prose {
  readonly line: number;
  readonly text: string;
  /** True for headings, table cells and labels, which may begin with a question word. */
  readonly isLabel?: boolean;
  readonly isComment?: boolean;
}

interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly advice: string;
}

/**
 * Patterns of a sentence's first word; outside of comments, of the text's. They do not apply to
 * labels.
 */
const OPENINGS: readonly Rule[] = [
  {
    name: "relative-clause",
    pattern: /^(?:What|Whom|Whose|Where|Which|Who|That which|Whatever|Whoever)\b(?![^.]*\?)/,
    advice: "begin with a noun phrase or a verb",
  },
  {
    name: "verb-first",
    pattern: /^(?:Of|Says|Tells|Takes|Gives|Lets|Goes|Stands|Lies|Puts)\b/,
    advice: "begin with a noun phrase or a technical verb",
  },
];

const RULES: readonly Rule[] = [
  {
    name: "speaking-thing",
    pattern: /\b(?:says|said|tells|told)\b(?! (?:you|apart)\b)/,
    advice: "state, show, name, report or describe",
  },
  {
    name: "is-there",
    pattern:
      /\b(?:that|which|who) (?:is|are|was|were) there\b|\b(?:is|are|was|were) (?:already |still |not |no longer )?there\b(?! (?:is|are|was|were)\b)/,
    advice: "exist, present, stored",
  },
  {
    name: "where-condition",
    pattern:
      /\bwhere (?:there|it|no|none|nothing|this|one|an?|some|all|both) (?!(?:belongs?|begins?|ends?)\b)/,
    advice: 'write "if" or "when"',
  },
  {
    name: "negated-noun",
    pattern:
      /(?<!\b[Tt]here )\b(?:is|are|was|were) (?:no|none|nothing)\b(?! (?:more|longer|older|different))/,
    advice: "negate the verb",
  },
  {
    name: "tail-word",
    pattern: /\b(?:anew|meanwhile|of late|at the most|once more|in itself|altogether|for ever)\b/,
    advice: "drop the word, or say what happens between the two",
  },
  {
    name: "vague-verb",
    pattern:
      /\b(?:go(?:es)? on|went on|stands? (?:for|in|there|against|beside)|comes? to nothing|tells? (?:of|what|whether)|lies? (?:in|under|below|beside)|lets? go)\b/,
    advice: "use the technical verb",
  },
  {
    name: "odd-preposition",
    pattern:
      /\b(?:beside|behind(?! (?:a|an|the|one|your|nginx|Caddy|several|two|proxies)\b)|ahead of)\b/,
    advice: "write after, before, next to, or in addition to",
  },
  {
    name: "vague-pronoun",
    pattern: /\b(?:whoever|whosoever|nobody)\b/i,
    advice: "name the person or thing",
  },
];

const NOUN_CLAUSE: Omit<Rule, "pattern"> = {
  name: "noun-clause",
  advice: "name the thing: stored rows, not what is stored",
};

/** Noun clauses in comments. Those of actions ("what happened") are accepted. */
const COMMENT_RULES: readonly Rule[] = [
  { ...NOUN_CLAUSE, pattern: /\bwhat(?:ever)?\b(?! (?:to|happen(?:s|ed)?)\b)(?![^.]*\?)/ },
];

/** In other texts, only those without an actor. */
const TEXT_RULES: readonly Rule[] = [
  {
    ...NOUN_CLAUSE,
    pattern: /\bwhat (?:is|are|was|were|has|have|comes?|came|goes|stays|remains)\b(?![^.]*\?)/,
  },
];

/** A text that a rule forbids and that stays. */
export interface Allowed {
  readonly text: string;
  readonly reason: string;
}

/** At most 40, which a test checks. */
export const ALLOWED: readonly Allowed[] = [];

/** The texts of a file that people read, by the kind of file. In tests, only the comments. */
export function proseOf(path: string, source: string): Prose[] {
  if (path.endsWith(".md")) return paragraphsOf(source);
  if (path.endsWith(".sql")) {
    return lineCommentsOf(source, "--").map((found) => ({ ...found, isComment: true }));
  }
  if (path.endsWith("deno.json")) return matchesOf(source, /"description": "([^"]+)"/g);
  const comments = commentsOf(source).map((found) => ({ ...found, isComment: true }));
  if (path.endsWith("_test.ts")) return comments;
  const texts = /\/lang\/en(?:\.js|\/)/.test(path)
    ? matchesOf(source, /"((?:[^"\\]|\\.)*)"/g).map((found) => ({
      ...found,
      isLabel: !/[.!]$/.test(found.text),
    }))
    : matchesOf(source, /\b(?:summary|description):\s*"((?:[^"\\]|\\.)*)"/g);
  return [...comments, ...texts];
}

/** A line for each violation: path, line, rule, advice, and the beginning of the text. */
export function findProse(path: string, source: string): string[] {
  return proseOf(path, source).flatMap((prose) =>
    rulesBrokenBy(prose)
      .filter(() => !ALLOWED.some((allowed) => prose.text.includes(allowed.text)))
      .map(({ name, advice }) =>
        `${path}:${prose.line}: ${name} (${advice}): ${prose.text.slice(0, 120)}`
      )
  );
}

function rulesBrokenBy({ text, isLabel = false, isComment = false }: Prose): Rule[] {
  const sentences = isComment ? text.split(/(?<=[.;]) (?=\p{Lu})/u) : [text];
  const openings = isLabel ? [] : OPENINGS;
  return [
    ...openings.filter(({ pattern }) => sentences.some((sentence) => pattern.test(sentence))),
    ...[...RULES, ...isComment ? COMMENT_RULES : TEXT_RULES]
      .filter(({ pattern }) => pattern.test(text)),
  ];
}

function commentsOf(source: string): Prose[] {
  const blocks = matchesOf(source, /\/\*\*([\s\S]*?)\*\//g).map(({ line, text }) => ({
    line,
    text: withoutCode(text.replaceAll(/^\s*\* ?/gm, "")),
  }));
  return [...blocks.flatMap(partsOf), ...lineCommentsOf(source, "//")];
}

/** Consecutive lines of one comment are one text. Directives for tools are not prose. */
function lineCommentsOf(source: string, mark: string): Prose[] {
  const texts: { line: number; text: string }[] = [];
  let open = false;
  for (const [index, line] of source.split("\n").entries()) {
    const trimmed = line.trim();
    const isComment = trimmed.startsWith(mark) && !/^\/\/ (?:deno-|engines:|@)/.test(trimmed);
    const text = trimmed.slice(mark.length).trim();
    const last = texts.at(-1);
    if (isComment && open && last !== undefined) last.text += ` ${text}`;
    else if (isComment) texts.push({ line: index + 1, text });
    open = isComment;
  }
  return texts;
}

/** A tag, its type, and the name that it describes. */
const TAG =
  /^@(?:(?:param|property|typedef) ?(?:\{[^}]*\} ?)?(?:\[?[\w.]+\]? ?)?|\w+ ?(?:\{[^}]*\} ?)?)/;

/** The parts of a block comment: its description, and each of its tags. */
function partsOf({ line, text }: Prose): Prose[] {
  return text.split(/\n(?=@|\s*\n)/).map((part) => part.replaceAll(/\s+/g, " ").trim())
    .map((part) => part.replace(TAG, ""))
    .filter((part) => part !== "")
    .map((part) => ({ line, text: part }));
}

/** Paragraphs, headings, table cells and list items, without code and targets of links. */
function paragraphsOf(markdown: string): Prose[] {
  const texts: Prose[] = [];
  let isCode = false;
  for (const [index, line] of markdown.split("\n").entries()) {
    if (line.startsWith("```")) isCode = !isCode;
    if (isCode || line.startsWith("```")) continue;
    const cells = line.startsWith("|") ? line.split("|") : [line];
    for (const cell of cells) {
      const text = withoutCode(cell.replace(/^[\s#>*-]+|^\s*\d+\. /, ""))
        .replaceAll(/\]\([^)]*\)/g, "]").trim();
      if (text !== "") texts.push({ line: index + 1, text, isLabel: /^[#|]/.test(line) });
    }
  }
  return texts.map((found, index) => {
    // A line in the middle of a paragraph does not begin a sentence.
    const before = texts[index - 1];
    const continues = before?.line === found.line - 1 && !/[.:!?|]$/.test(before.text);
    return continues ? { ...found, isLabel: true } : found;
  });
}

function withoutCode(text: string): string {
  return text.replaceAll(/```[\s\S]*?```/g, "").replaceAll(/`[^`\n]*`/g, "X");
}

function matchesOf(source: string, pattern: RegExp): Prose[] {
  return Array.from(source.matchAll(pattern), ({ index, 1: text = "" }) => ({
    line: source.slice(0, index).split("\n").length,
    text,
  }));
}

const FOLDERS = [".github", "findings", "src", "scripts", "sql", "tests"];
const CHECKED = /\.(?:ts|js|sql|md)$/;

/**
 * Generated files, other languages, steps of the schema that never change (README.md there), and
 * the examples of this program's test.
 */
const SKIPPED =
  /check_prose_test\.ts$|sql\/00(?:[01]\d|2[0-5])_|console\/files\.ts$|snapshot\.sql$|\/lang\/de|node_modules/;

async function* filesIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* filesIn(path);
    else if (CHECKED.test(path) && !SKIPPED.test(path)) yield path;
  }
}

/** The paths of every checked file, from the project's root. */
export async function checkedFiles(): Promise<string[]> {
  const paths = ["README.md", "deno.json", "main.ts"];
  for (const folder of FOLDERS) {
    for await (const path of filesIn(folder)) paths.push(path);
  }
  return paths;
}

if (import.meta.main) {
  const paths = await checkedFiles();
  const found = (await Promise.all(paths.map(async (path) =>
    findProse(path, await Deno.readTextFile(path))
  ))).flat();
  const lines = [...found, `${paths.length} files, ${found.length} sentences to rewrite`];
  Deno.stdout.writeSync(new TextEncoder().encode(`${lines.join("\n")}\n`));
  Deno.exitCode = found.length === 0 ? 0 : 1;
}
