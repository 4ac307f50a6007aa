/** Lines of Markdown inside quotes and lists, with single blank lines between blocks. */

/** Open quotes, lists and items of lists; deeper ones count as text. */
const MAX_DEPTH = 100;
/** Characters of a text. One of that length may be cut, so an item with it must be refused. */
export const MAX_MARKDOWN: number = 4 * 1024 * 1024;
const INDENT = "    ";
const FENCE = "```";

type Container =
  | { readonly kind: "quote" }
  | {
    readonly kind: "list";
    readonly name: string;
    /** The number of the next item; null for a list without numbers. */
    next: number | null;
    /** True after the first item of a list that is the child of a list. */
    readonly isIndented: boolean;
    isEmpty: boolean;
  }
  /** The mark is null once a line has it. */
  | { readonly kind: "item"; mark: string | null };

export class MarkdownLines {
  readonly #lines: string[] = [];
  readonly #containers: Container[] = [];
  #length = 0;
  /** The number of containers around the blank line before the next line; null without one. */
  #blankDepth: number | null = null;

  /** True if the text is too long for any item. */
  get isFull(): boolean {
    return this.#length > MAX_MARKDOWN;
  }

  get text(): string {
    return this.#lines.join("\n");
  }

  get isInList(): boolean {
    return this.#containers.some(({ kind }) => kind === "list");
  }

  /** Counts characters that are kept for a later line, or no longer if they are negative. */
  count(length: number): void {
    this.#length += length;
  }

  /** Adds a blank line before the next line, but not as the first of an item or of the text. */
  separate(): void {
    const depth = this.#containers.length;
    if (this.#containers.some((each) => each.kind === "item" && each.mark !== null)) return;
    this.#blankDepth = Math.min(this.#blankDepth ?? depth, depth);
  }

  /** Drops a blank line that was asked for inside the innermost container. */
  join(): void {
    if ((this.#blankDepth ?? -1) >= this.#containers.length) this.#blankDepth = null;
  }

  /** Leaves out a line beyond the length of a text: code in quotes is much longer than its HTML. */
  add(line: string): void {
    if (this.isFull) return;
    if (this.#blankDepth !== null && this.#lines.length > 0) {
      this.#push(this.#prefixOf(this.#containers.slice(0, this.#blankDepth)));
    }
    this.#blankDepth = null;
    // A fence stands as far inside as the code after it, else the code would have more blanks.
    this.#push(this.#prefixOf(this.#containers, line.startsWith(FENCE)) + line);
    for (const container of this.#containers) if (container.kind === "item") container.mark = null;
  }

  openQuote(): boolean {
    return this.#open({ kind: "quote" });
  }

  /** @param first The number of the first item; null for a list without numbers. */
  openList(name: string, first: number | null): boolean {
    const parent = this.#containers.at(-1);
    const isIndented = parent?.kind === "list" && !parent.isEmpty;
    return this.#open({ kind: "list", name, next: first, isIndented, isEmpty: true });
  }

  /** Opens an item of the innermost list. Items follow each other without blank lines. */
  openItem(): boolean {
    this.closeItem();
    const list = this.#containers.at(-1);
    let mark = "- ";
    if (list?.kind === "list") {
      this.join();
      list.isEmpty = false;
      if (list.next !== null) mark = `${list.next++}. `;
    }
    return this.#open({ kind: "item", mark });
  }

  /** Replaces the mark of the item whose first line is next; false without such an item. */
  markItem(mark: string): boolean {
    const container = this.#containers.at(-1);
    if (container?.kind !== "item" || container.mark === null) return false;
    container.mark = mark;
    return true;
  }

  /** Closes the innermost item, unless a list or quote is open in it. Only a task may be empty. */
  closeItem(): void {
    const item = this.#containers.at(-1);
    if (item?.kind !== "item") return;
    this.join();
    if (item.mark?.startsWith("- [")) this.add("");
    this.#containers.pop();
  }

  closeQuote(): void {
    this.#closeLast((container) => container.kind === "quote");
  }

  closeList(name: string): void {
    this.closeItem();
    this.#closeLast((container) => container.kind === "list" && container.name === name);
  }

  #open(container: Container): boolean {
    if (this.#containers.length === MAX_DEPTH) return false;
    this.#containers.push(container);
    return true;
  }

  #closeLast(isMatching: (container: Container) => boolean): void {
    const index = this.#containers.findLastIndex(isMatching);
    if (index !== -1) this.#containers.length = index;
  }

  #prefixOf(containers: readonly Container[], isPadded = false): string {
    const last = containers.at(-1);
    return containers.map((container) => {
      if (container.kind === "quote") return "> ";
      if (container.kind === "list") return container.isIndented ? INDENT : "";
      const { mark } = container;
      if (mark === null) return INDENT;
      return container === last && !isPadded ? mark : mark.padEnd(INDENT.length);
    }).join("");
  }

  #push(line: string): void {
    const written = line.trimEnd();
    this.#lines.push(written);
    this.#length += written.length + 1;
  }
}
