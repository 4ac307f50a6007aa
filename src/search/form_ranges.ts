/** Ranges of the order forms that a title may have whose words are those of a query. Pure. */

import { FORM_LENGTH, orderLetters } from "../records/search_index/order_form.ts";
import type { FormedWord } from "../records/search_index/word_forms.ts";
import { firstCodePoints } from "../validate/text.ts";

/** Maximum texts; further words of the query are then left out. */
const MAX_BEGINNINGS = 32;

/** A letter that is spelt out, whose order form is its first letter: `mueller` may be `müller`. */
const SPELT = /ae|oe|ue|aa/;

/** Maximum spelt letters of a word. */
const MAX_SPELT = 5;

/** A range of order forms, with both ends. */
export interface FormRange {
  readonly low: string;
  readonly high: string;
}

/** The highest code point, after every text with the same beginning. */
const LAST = "\u{10ffff}";

/** Every title that begins with the words has its order form in one of these ranges. */
export function rangesOfBeginning(words: readonly FormedWord[]): readonly FormRange[] {
  return beginningsOf(words).texts.map((text) => ({ low: text, high: text + LAST }));
}

/** Every title that has exactly the words has its order form in one of these ranges. */
export function rangesOfTitle(words: readonly FormedWord[]): readonly FormRange[] {
  const { texts, areWhole } = beginningsOf(words);
  return areWhole ? texts.map((text) => ({ low: text, high: text })) : rangesOfBeginning(words);
}

interface Beginnings {
  readonly texts: readonly string[];
  /** True if no words are left out. */
  readonly areWhole: boolean;
}

function beginningsOf(words: readonly FormedWord[]): Beginnings {
  let texts: readonly string[] = [""];
  for (const [index, word] of words.entries()) {
    const forms = orderFormsOf(word);
    if (forms === null || texts.length * forms.length > MAX_BEGINNINGS) {
      return { texts, areWhole: false };
    }
    texts = texts.flatMap((text) => forms.map((form) => index === 0 ? form : `${text} ${form}`));
  }
  const cut = texts.map((text) => firstCodePoints(text, FORM_LENGTH));
  return { texts: [...new Set(cut)], areWhole: true };
}

/** The order forms of words that have a form in common with the word; null if they are many. */
function orderFormsOf({ forms }: FormedWord): readonly string[] | null {
  if (forms.some((form) => form.split(SPELT).length - 1 > MAX_SPELT)) return null;
  return [...new Set(forms.flatMap((form) => [form, ...unspelt(form)].map(orderLetters)))];
}

/** The text with each choice of the letters that may be spelt out. */
function unspelt(text: string): readonly string[] {
  const at = text.search(SPELT);
  if (at === -1) return [text];
  const beginning = text.slice(0, at + 1);
  return [
    ...unspelt(text.slice(at + 2)).map((rest) => beginning + rest),
    ...unspelt(text.slice(at + 1)).map((rest) => beginning + rest),
  ];
}
