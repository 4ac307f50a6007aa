import type { JsonValue } from "../../core/json.ts";
import { headingText, yamlValue } from "../../core/markdown.ts";

interface MarkdownDocument {
  readonly title: string;
  /** Front matter, in order. */
  readonly members: readonly (readonly [name: string, value: JsonValue])[];
  /** Texts as written, each under a heading of the service. */
  readonly sections: readonly (readonly [heading: string, text: string])[];
}

/**
 * Writes YAML front matter, a title, and a section per text.
 *
 * A value of the front matter is JSON on one line, so no user text can end it early.
 */
export function writeMarkdown({ title, members, sections }: MarkdownDocument): string {
  return [
    "---\n",
    ...members.map(([name, value]) => `${name}: ${yamlValue(value)}\n`),
    `---\n\n# ${headingText(title)}\n`,
    ...sections.map(([heading, text]) => `\n## ${heading}\n\n${text}\n`),
  ].join("");
}

/** Converts a name to words: `originalContent` to `Original content`. */
export function inWords(member: string): string {
  const words = member.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
