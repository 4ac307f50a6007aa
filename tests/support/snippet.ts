import type { Word } from "../../src/records/search_index/words.ts";
import { SnippetFinder } from "../../src/search/snippet.ts";

/** Null unless the texts contain every word. */
export function snippetOf(texts: readonly string[], words: readonly Word[]): string | null {
  const finder = new SnippetFinder(words);
  for (const text of texts) finder.look(text);
  return finder.snippet;
}
