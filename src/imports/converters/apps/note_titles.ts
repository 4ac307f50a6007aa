/** The titles of the notes of a file, for links between them. */

import { fitTitle } from "../../fit_members.ts";
import { entryBytes, type ReadingBudget } from "../../reading_budget.ts";
import { ownText } from "./clean_text.ts";

/** Characters of a title that would end a link too early, or begin its words. */
const MARKS = /[[\]|]/;
/** The same for its words. */
const WORD_MARKS = /\[\[|\]\]|\]$|\n/;

export class NoteTitles {
  readonly #budget: ReadingBudget;
  readonly #byId = new Map<string, string>();
  /** True for a title of several notes. */
  readonly #isShared = new Map<string, boolean>();

  constructor(budget: ReadingBudget) {
    this.#budget = budget;
  }

  /**
   * Adds a note; one with a known identifier is the same.
   *
   * @param id By which links name the note; null if they use its title.
   * @param place The number of the note or entry.
   */
  add(id: string | null, title: string, place: number): void {
    if (id !== null && this.#byId.has(id)) return;
    const shown = ownText(fitTitle(title).title);
    const isKnown = this.#isShared.has(shown);
    if (!isKnown) this.#budget.hold(entryBytes(shown), place);
    this.#isShared.set(shown, isKnown);
    if (id === null) return;
    this.#budget.hold(entryBytes(id), place);
    this.#byId.set(ownText(id), shown);
  }

  /**
   * A link to the note with an identifier.
   *
   * @param words The shown text; empty for the title.
   * @returns Null for an unknown note, and a title that several notes have or no link can contain.
   */
  linkTo(id: string, words: string): string | null {
    const title = this.#byId.get(id);
    return title === undefined ? null : this.linkByTitle(title, words);
  }

  /** As {@linkcode linkTo}, by the title of the note. */
  linkByTitle(title: string, words: string): string | null {
    const shown = fitTitle(title).title;
    if (shown === "" || MARKS.test(shown) || WORD_MARKS.test(words)) return null;
    if (this.#isShared.get(shown) !== false) return null;
    return words === "" || words === shown ? `[[${shown}]]` : `[[${shown}|${words}]]`;
  }
}
