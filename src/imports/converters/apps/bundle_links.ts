/** The links of one text bundle to its own files. */

import type { Archive } from "../../archive/archive.ts";
import type { ConverterInput } from "../converter.ts";
import { htmlToMarkdown } from "../markup/html_markdown.ts";
import type { NoteAddress } from "../note_addresses.ts";
import { decodePercent, isWebAddress, type NoteFinder } from "../note_finder.ts";
import { rewriteAddresses, type Rewritten } from "../rewritten_addresses.ts";
import type { TextBundle } from "../text_bundle.ts";
import { NamedFiles } from "./named_files.ts";

/** The folder of the files that the text shows. */
const ASSETS = "assets/";

type Input = Pick<ConverterInput, "budget" | "openFile">;
type Address = Pick<NoteAddress, "address" | "form" | "isEmbed">;

export class BundleLinks {
  readonly files: NamedFiles;
  readonly #bundle: TextBundle;
  readonly #paths: ReadonlySet<string>;
  readonly #finder: NoteFinder;
  readonly #input: Input;

  constructor(bundle: TextBundle, archive: Archive, finder: NoteFinder, input: Input) {
    this.#bundle = bundle;
    this.#paths = new Set(bundle.files);
    this.#finder = finder;
    this.#input = input;
    this.files = new NamedFiles(archive);
  }

  async inMarkdown(text: string): Promise<string> {
    const { budget } = this.#input;
    return await rewriteAddresses(text, budget, (where) => this.#rewrite(where)) ?? text;
  }

  async inHtml(html: string): Promise<string> {
    const { text } = await htmlToMarkdown(html, {
      turn: () => this.#input.budget.turn(this.#bundle.text.place),
      media: async (address) => {
        const where = { address, form: "html", isEmbed: true } as const;
        const path = this.#find(where);
        if (path !== null) return this.files.addEntry(path);
        return await this.files.addData(address, this.#input) ?? this.#miss(where);
      },
      link: (address, words) => {
        const where = { address, form: "html", isEmbed: false } as const;
        const name = this.#nameFile(where);
        if (name !== null) return `[${words}](attachment:${name})`;
        return isFile(where) ? `[${words}](${address})` : null;
      },
    });
    return text;
  }

  /** Adds the files that the text does not show. */
  addRest(): void {
    for (const path of this.#paths) this.files.addEntry(path);
  }

  async #rewrite(where: NoteAddress): Promise<Rewritten | null> {
    const { address, start, end, isEmbed, form } = where;
    if (form === "wiki") return null;
    const name = this.#nameFile(where) ??
      (isEmbed ? await this.files.nameData(address, this.#input) : null);
    return name === null ? null : { start, end, written: `attachment:${name}` };
  }

  /** The name of a file of the bundle; null for another address. A missing file is reported. */
  #nameFile(where: Address): string | null {
    const path = this.#find(where);
    return path === null ? this.#miss(where) : this.files.nameEntry(path);
  }

  #find(where: Address): string | null {
    const path = this.#finder.find(where, this.#bundle.text.name)?.path ?? null;
    return path !== null && this.#paths.has(path) ? path : null;
  }

  #miss(where: Address): null {
    if (isFile(where)) this.files.addMissing(decodePercent(where.address));
    return null;
  }
}

/** Whether an address means a file of the bundle, which may be missing. */
function isFile(where: Address): boolean {
  return where.isEmbed ? !isWebAddress(where) : decodePercent(where.address).startsWith(ASSETS);
}
