import type { JsonValue } from "../../core/json.ts";
import { headingText, yamlValue } from "../../core/markdown.ts";

/** The content of a file. */
export interface MarkdownDocument {
  readonly title: string;
  /** The members of the front matter, in their order. */
  readonly members: readonly (readonly [name: string, value: JsonValue])[];
  /** Texts as they were written, each below a heading of the service's own. */
  readonly sections: readonly (readonly [heading: string, text: string])[];
}

/**
 * Writes a file: front matter in YAML, a title, and a section a text.
 *
 * A value of the front matter is JSON on one line, so nothing that a person wrote ends it early.
 */
export function writeMarkdown({ title, members, sections }: MarkdownDocument): string {
  return [
    "---\n",
    ...members.map(([name, value]) => `${name}: ${yamlValue(value)}\n`),
    `---\n\n# ${headingText(title)}\n`,
    ...sections.map(([heading, text]) => `\n## ${heading}\n\n${text}\n`),
  ].join("");
}

/** `Original content` for `originalContent`. */
export function inWords(member: string): string {
  const words = member.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
