/** The embeds of a Markdown text: `![[x.png]]` and `![…](path)`, found in one pass. */

/** Maximum characters of a name, a label, a path or a title. */
const MAX_PART = 1000;
/** Maximum white space before or after a path. */
const MAX_SPACE = 10;

/** The names in `![[name]]` and `![[name|rest]]`. */
export function* wikiTargets(text: string): Generator<string> {
  const nameEnds = new NextMatch(text, /[[\]|#^\n]/g);
  const restEnds = new NextMatch(text, /[\]\n]/g);
  for (let at = text.indexOf("![["); at !== -1;) {
    const start = at + 3;
    const nameEnd = nameEnds.from(start);
    const isWhole = text[nameEnd] === "]";
    const end = isWhole || !"|#^".includes(text[nameEnd] ?? "\n")
      ? nameEnd
      : restEnds.from(nameEnd + 1);
    const isName = nameEnd > start && nameEnd - start <= MAX_PART && end - nameEnd - 1 <= MAX_PART;
    const isEmbed = isName && text.startsWith("]]", end);
    if (isEmbed) yield text.slice(start, nameEnd);
    at = text.indexOf("![[", isEmbed ? end + 2 : at + 1);
  }
}

/** The paths in `![label](path)`, `![label](<path>)`, and those with a title. */
export function* embedTargets(text: string): Generator<string> {
  const labelEnds = new NextMatch(text, /[\]\n]/g);
  const angleEnds = new NextMatch(text, /[>\n]/g);
  for (let at = text.indexOf("!["); at !== -1;) {
    const label = labelEnds.from(at + 2);
    const isLabel = label - at - 2 <= MAX_PART && text.startsWith("](", label);
    const target = isLabel ? readTarget(text, label + 2, angleEnds) : null;
    if (target !== null) yield target.path;
    at = text.indexOf("![", target?.end ?? at + 1);
  }
}

interface Target {
  readonly path: string;
  /** The position after the closing parenthesis. */
  readonly end: number;
}

function readTarget(text: string, from: number, angleEnds: NextMatch): Target | null {
  const start = skipSpace(text, from);
  if (text[start] === "<") {
    const close = angleEnds.from(start + 1);
    const path = text.slice(start + 1, Math.min(close, start + 2 + MAX_PART));
    const end = text[close] === ">" ? targetEnd(text, close + 1) : null;
    if (end !== null && path.length >= 1 && path.length <= MAX_PART) return { path, end };
  }
  const pathEnd = skipPath(text, start);
  const end = pathEnd === start ? null : targetEnd(text, pathEnd);
  return end === null ? null : { path: text.slice(start, pathEnd), end };
}

/** The end of a path without white space; its parentheses are in pairs. */
function skipPath(text: string, start: number): number {
  let at = start;
  for (let units = 0; units < MAX_PART && at < text.length; units++) {
    if (text[at] === "(") {
      const close = endOfPair(text, at + 1);
      if (close === -1) return at;
      at = close;
    } else if (text[at] === ")" || isSpace(text[at])) return at;
    else at++;
  }
  return at;
}

/** The position after the closing parenthesis; -1 if another character ends the pair. */
function endOfPair(text: string, from: number): number {
  let at = from;
  while (at - from <= MAX_PART && at < text.length && !"()".includes(text[at] ?? "")) {
    if (isSpace(text[at])) return -1;
    at++;
  }
  return text[at] === ")" ? at + 1 : -1;
}

/** The position after `)`, which a title may precede; null without it. */
function targetEnd(text: string, from: number): number | null {
  let at = skipSpace(text, from);
  const quote = text[at] ?? "";
  if (at > from && (quote === '"' || quote === "'")) {
    const close = text.slice(at + 1, at + 2 + MAX_PART).search(quote === '"' ? /["\n]/ : /['\n]/);
    if (close === -1 || text[at + 1 + close] !== quote) return null;
    at = skipSpace(text, at + 2 + close);
  }
  return text[at] === ")" ? at + 1 : null;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at - from < MAX_SPACE && isSpace(text[at])) at++;
  return at;
}

function isSpace(character = ""): boolean {
  return character.trim() === "" && character !== "";
}

/**
 * Finds the next match at or after a position. Positions must not decrease, so that all look-ups
 * together read the text once.
 */
class NextMatch {
  readonly #text: string;
  readonly #pattern: RegExp;
  #match = -1;

  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  /** Returns the position of the match; the length of the text without one. */
  from(position: number): number {
    if (this.#match >= position) return this.#match;
    this.#pattern.lastIndex = position;
    this.#match = this.#pattern.exec(this.#text)?.index ?? this.#text.length;
    return this.#match;
  }
}
