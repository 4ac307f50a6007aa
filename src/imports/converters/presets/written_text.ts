/** Texts of cells that may have tags of HTML. */

import { htmlToMarkdown } from "../markup/html_markdown.ts";
import type { PresetContext } from "./preset.ts";

/** The tags that products write. */
const TAG = /<(?:br|p|div|b|i|u|s|em|strong|a|ul|ol|li|blockquote)[\s/>]/i;

/** The text in Markdown; one without a tag stays as it is. */
export async function writtenText(text: string, { budget }: PresetContext): Promise<string> {
  if (!TAG.test(text)) return text;
  const { text: markdown } = await htmlToMarkdown(text, { turn: async () => await budget.turn(0) });
  return markdown;
}
