/** Turns HTML, XHTML and ENML that may not be well-formed into Markdown. */

import { NextMatch } from "../next_match.ts";
import { type LinkWriter, MarkdownFlow } from "./markdown_flow.ts";
import { EMPHASES, fileOf, LINES, type MarkupFile, VOID } from "./markup_elements.ts";
import { type MarkupPart, markupParts, type StartPart } from "./markup_parts.ts";
import { MarkupRegion } from "./markup_region.ts";

export interface MarkupOptions {
  /** Waits for a turn of the budget of reading. */
  readonly turn: () => Promise<void>;
  /**
   * Returns the Markdown of a file; null for a missing one.
   *
   * @param address `src` of a picture, also `data:`, but not `http:` and `https:`; the MD5 of
   * `en-media`.
   */
  readonly media?: (address: string) => string | null | Promise<string | null>;
  /** Returns the lines of a group of tasks; null for an unknown one, whose own words stay. */
  readonly tasks?: (groupId: string) => readonly string[] | null;
  /** Returns the Markdown of a link; null for the usual form. It may be asked for each line. */
  readonly link?: LinkWriter;
}

interface ConvertedMarkup {
  /** Empty for markup without text. */
  readonly text: string;
  /** True if a part is encrypted, and so in the text as its cipher text. */
  readonly hasEncrypted: boolean;
}

/** Parts after which other work may run. */
const TURN_PARTS = 500;

/** Text of `MAX_MARKDOWN` characters or more may be cut: its item must be refused. */
export async function htmlToMarkdown(
  html: string,
  options: MarkupOptions,
): Promise<ConvertedMarkup> {
  const conversion = new Conversion(html, options);
  let count = 0;
  for (const part of markupParts(html)) {
    if (count++ % TURN_PARTS === 0) await options.turn();
    const media = conversion.read(part);
    if (media !== undefined) await media;
    if (conversion.isFull) break;
  }
  return conversion.end();
}

const CODE_BLOCK = /-en-codeblock\s*:\s*true/i;
const CODE_LANGUAGE = /--en-codeblockLanguage\s*:\s*([A-Za-z0-9+#-]{1,20})\s*(?:;|$)/;
const TASK_GROUP = /--en-task-group\s*:\s*true/;
const TASK_GROUP_ID = /--en-id\s*:\s*([^;\s]+)/;
const CHECKED = /--en-checked\s*:\s*(true|false)/;
const HEADING = /^h[1-6]$/;
const WEB = /^https?:/i;

class Conversion {
  readonly #options: MarkupOptions;
  readonly #flow: MarkdownFlow;
  readonly #tableStarts: NextMatch;
  readonly #tableEnds: NextMatch;
  /** Open tables; false for those around another one, which are not tables of Markdown. */
  readonly #tables: boolean[] = [];
  /** The number of open elements that are too deep, by name. */
  readonly #ignored = new Map<string, number>();
  #region: MarkupRegion | null = null;
  #hasEncrypted = false;

  constructor(html: string, options: MarkupOptions) {
    this.#options = options;
    this.#flow = new MarkdownFlow(options.link ?? (() => null));
    this.#tableStarts = new NextMatch(html, /<table[\s/>]/gi);
    this.#tableEnds = new NextMatch(html, /<\/table[\s/>]/gi);
  }

  get isFull(): boolean {
    return this.#flow.lines.isFull;
  }

  /** @returns A promise if files are written. */
  read(part: MarkupPart): Promise<void> | void {
    if (part.kind === "text") return this.#readText(part.text);
    if (part.kind === "end") return this.#end(part.name);
    const isVoid = VOID.has(part.name);
    if (this.#region !== null) {
      if (!part.isEmpty || isVoid) this.#region.start(part);
      return;
    }
    const file = fileOf(part);
    if (file !== null) return this.#writeFile(file);
    this.#start(part);
    if (part.isEmpty && !isVoid) return this.#end(part.name);
  }

  async end(): Promise<ConvertedMarkup> {
    await this.#closeRegion(false);
    return { text: this.#flow.end(), hasEncrypted: this.#hasEncrypted };
  }

  #readText(text: string): void {
    if (this.#region === null) this.#flow.text(text);
    else this.#region.read(text);
  }

  #start(part: StartPart): void {
    const { name, attributes } = part;
    const flow = this.#flow;
    const style = attributes.get("style") ?? "";
    const emphasis = EMPHASES.get(name);
    if (emphasis !== undefined) return flow.emphasize(emphasis, 1);
    if (HEADING.test(name)) return flow.openHeading(Number(name[1]));
    if (LINES.has(name) || name === "p" || name === "pre") {
      if (this.#openRegion(part, style)) return;
    }
    switch (name) {
      case "a":
        return flow.openLink((attributes.get("href") ?? "").trim());
      case "br":
        return flow.lineEnd();
      case "hr":
        return flow.rule();
      case "p":
        return flow.block();
      case "en-todo":
        return flow.task(attributes.get("checked") === "true");
      case "input":
        if (attributes.get("type")?.toLowerCase() !== "checkbox") return;
        return flow.task(attributes.has("checked"));
      case "ul":
      case "ol":
        return this.#openList(name, attributes);
      case "li":
        return this.#openItem(style);
      case "blockquote":
        return flow.openQuote() ? undefined : this.#ignore(name);
      case "table":
        return this.#openTable(part);
      case "en-crypt":
        this.#region = new MarkupRegion("encrypted", name, attributes.get("hint") ?? "");
        return;
    }
    if (!this.#isInTable) return LINES.has(name) ? flow.boundary() : undefined;
    if (name === "tr") flow.openRow();
    else if (name === "td" || name === "th") flow.openCell();
    else if (LINES.has(name)) flow.boundary();
  }

  #end(name: string): Promise<void> | void {
    const flow = this.#flow;
    if (this.#region !== null) {
      return this.#region.end(name) ? this.#closeRegion(true) : undefined;
    }
    const emphasis = EMPHASES.get(name);
    if (emphasis !== undefined) return flow.emphasize(emphasis, -1);
    if (HEADING.test(name)) return flow.closeHeading();
    const ignored = this.#ignored.get(name) ?? 0;
    if (ignored > 0) {
      this.#ignored.set(name, ignored - 1);
      return flow.boundary();
    }
    switch (name) {
      case "a":
        return flow.closeLink();
      case "p":
        return flow.block();
      case "ul":
      case "ol":
        return flow.closeList(name);
      case "li":
        return flow.closeItem();
      case "blockquote":
        return flow.closeQuote();
      case "table":
        return this.#closeTable();
      case "td":
      case "th":
      case "tr":
        if (this.#isInTable) return flow.closeCell();
    }
    if (LINES.has(name)) flow.boundary();
  }

  /** True if the innermost table is one of Markdown. */
  get #isInTable(): boolean {
    return this.#tables.at(-1) === true;
  }

  #openList(name: "ul" | "ol", attributes: StartPart["attributes"]): void {
    const start = Number(attributes.get("start") ?? 1);
    const first = Number.isSafeInteger(start) && start >= 0 ? start : 1;
    if (!this.#flow.openList(name, name === "ol" ? first : null)) this.#ignore(name);
  }

  #openItem(style: string): void {
    if (!this.#flow.openItem()) return this.#ignore("li");
    const [, checked] = CHECKED.exec(style) ?? [];
    if (checked !== undefined) this.#flow.task(checked === "true");
  }

  #ignore(name: string): void {
    this.#ignored.set(name, (this.#ignored.get(name) ?? 0) + 1);
  }

  #openTable({ end }: StartPart): void {
    const isAround = this.#tableStarts.from(end) < this.#tableEnds.from(end);
    const isOpen = this.#flow.isInTable;
    this.#tables.push(!isAround && !isOpen);
    if (this.#isInTable) this.#flow.openTable();
    else this.#flow.block();
  }

  #closeTable(): void {
    if (this.#tables.pop() === true) this.#flow.closeTable();
    else this.#flow.block();
  }

  /** Opens code or a group of tasks; false for another element. */
  #openRegion({ name, isEmpty }: StartPart, style: string): boolean {
    if (isEmpty) return false;
    if (name === "pre" || CODE_BLOCK.test(style)) {
      const [, language = ""] = CODE_LANGUAGE.exec(style) ?? [];
      this.#region = new MarkupRegion("code", name, language);
      return true;
    }
    if (!TASK_GROUP.test(style)) return false;
    const [, id = ""] = TASK_GROUP_ID.exec(style) ?? [];
    const lines = this.#options.tasks?.(id) ?? null;
    if (lines === null) return false;
    this.#flow.markdownLines(lines);
    this.#region = new MarkupRegion("tasks", name, "");
    return true;
  }

  /** @param isEnded False if its end tag is missing. */
  #closeRegion(isEnded: boolean): Promise<void> | void {
    const region = this.#region;
    if (region === null) return;
    this.#region = null;
    const { kind, label, text, files } = region;
    if (kind === "tasks") {
      // Other text may follow a group without its end.
      if (!isEnded) this.#flow.text(text);
      return;
    }
    this.#hasEncrypted ||= kind === "encrypted";
    const head = `encrypted: ${label}`.trim();
    if (kind === "encrypted") this.#flow.fence(`${head}\n${text.trim()}`, "");
    else this.#flow.fence(text, label);
    if (files.length > 0) return this.#writeFiles(files);
  }

  async #writeFiles(files: readonly MarkupFile[]): Promise<void> {
    for (const file of files) await this.#writeFile(file);
  }

  async #writeFile({ address, alt, isPicture }: MarkupFile): Promise<void> {
    const flow = this.#flow;
    if (address === "") return flow.text(alt);
    const isWeb = WEB.test(address);
    const written = isWeb ? null : await this.#options.media?.(address) ?? null;
    flow.markdown(written ?? (isPicture ? `![${alt}](${address})` : address));
  }
}
