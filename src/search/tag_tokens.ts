/** Tags in a search: `#summer-house` is the tag `Summer house`. Pure. */

import { wholeOrderForm } from "../records/search_index/order_form.ts";

/** A part of a query that may name a tag. */
export interface TagToken {
  /** With the `#`. */
  readonly text: string;
  readonly start: number;
  /** The words of the tag, in the order form of any length. */
  readonly form: string;
}

const TOKENS = /(?<=^|\s)#([\p{L}\p{M}\p{Nd}]\S*)/gu;

export function tagTokens(q: string): readonly TagToken[] {
  return Array.from(
    q.matchAll(TOKENS),
    ({ 0: text, 1: name = "", index }) => ({ text, start: index, form: wholeOrderForm(name) }),
  ).filter(({ form }) => form !== "");
}

/** The query without these tokens. */
export function withoutTokens(q: string, tokens: readonly TagToken[]): string {
  return tokens.toReversed().reduce(
    (rest, { start, text }) => `${rest.slice(0, start)} ${rest.slice(start + text.length)}`,
    q,
  );
}
