/** The links of one Joplin note: `:/<id>` names a resource or another note. */

import { type Archive, baseNameOf } from "../../archive/archive.ts";
import type { ConverterInput } from "../converter.ts";
import { htmlToMarkdown } from "../markup/html_markdown.ts";
import type { NoteAddress } from "../note_addresses.ts";
import { rewriteAddresses, type Rewritten } from "../rewritten_addresses.ts";
import type { JoplinIndex } from "./joplin_index.ts";
import { NamedFiles } from "./named_files.ts";

const TARGET = /^:\/([0-9a-f]{32})(?:[?#].*)?$/is;

type Input = Pick<ConverterInput, "budget" | "openFile">;

export class JoplinLinks {
  readonly files: NamedFiles;
  /** Rules of links that stay as they are. */
  readonly rules = new Set<string>();
  readonly #index: JoplinIndex;
  readonly #input: Input;
  /** The end of the last change in the text. */
  #end = 0;

  constructor(index: JoplinIndex, archive: Archive, input: Input) {
    this.#index = index;
    this.#input = input;
    this.files = new NamedFiles(archive);
  }

  async inMarkdown(text: string): Promise<string> {
    const { budget } = this.#input;
    return await rewriteAddresses(text, budget, (address) => this.#rewrite(address)) ?? text;
  }

  async inHtml(html: string): Promise<string> {
    const { budget } = this.#input;
    const { text } = await htmlToMarkdown(html, {
      turn: () => budget.turn(1),
      media: (address) => this.#showFile(address),
      link: (address, words) => this.#linkInHtml(address, words),
    });
    return text;
  }

  async #rewrite(where: NoteAddress): Promise<Rewritten | null> {
    const { address, start, end, form, isEmbed, link } = where;
    const id = targetOf(address);
    if (form === "wiki" || (id === null && !isEmbed)) return null;
    if (id === null || isEmbed || this.#index.resource(id) !== undefined) {
      const name = id === null
        ? await this.files.nameData(address, this.#input)
        : this.#nameFile(id, address);
      if (name === null) return null;
      this.#end = end;
      return { start, end, written: `attachment:${name}` };
    }
    // A link with a changed picture inside it stays.
    const isFree = link !== undefined && link.start >= this.#end;
    const written = isFree ? this.#linkNote(id, link.words) : this.#missLink();
    if (written === null || link === undefined) return null;
    this.#end = link.end;
    return { start: link.start, end: link.end, written };
  }

  async #showFile(address: string): Promise<string | null> {
    const id = targetOf(address);
    if (id === null) return await this.files.addData(address, this.#input);
    const file = this.#fileOf(id, address);
    return file === null ? null : this.files.addEntry(file.path, file.facts);
  }

  #linkInHtml(address: string, words: string): string | null {
    const id = targetOf(address);
    if (id === null) return null;
    const isFile = this.#index.resource(id) !== undefined;
    const name = isFile ? this.#nameFile(id, address) : null;
    const note = isFile ? null : this.#linkNote(id, words);
    return note ?? `[${words}](${name === null ? address : `attachment:${name}`})`;
  }

  #nameFile(id: string, written: string): string | null {
    const file = this.#fileOf(id, written);
    return file === null ? null : this.files.nameEntry(file.path, file.facts);
  }

  /** The file of a resource; null for a missing one, which is reported. */
  #fileOf(id: string, written: string) {
    const { path = null, title = "", mediaType } = this.#index.resource(id) ?? {};
    if (path !== null) return { path, facts: { filename: title || baseNameOf(path), mediaType } };
    this.files.addMissing(written);
    return null;
  }

  #linkNote(id: string, words: string): string | null {
    return this.#index.titles.linkTo(id, words) ?? this.#missLink();
  }

  #missLink(): null {
    this.rules.add("link.missing");
    return null;
  }
}

/** The identifier in an address of Joplin; null for any other address. */
function targetOf(address: string): string | null {
  return TARGET.exec(address)?.[1]?.toLowerCase() ?? null;
}
