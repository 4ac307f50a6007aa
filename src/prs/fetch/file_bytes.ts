/** The bytes of photos, which are in their pages, and of documents, which have links. */

import type { Answers, ApiRecord } from "./answers.ts";
import { readPage } from "./answers.ts";
import type { ReadAccount } from "./read_account.ts";

export class FileBytes {
  readonly #answers: Answers;
  readonly #account: ReadAccount;
  readonly #documents: ReadonlyMap<string, ApiRecord>;
  /** The page of the last photo; the next one is usually in it too. */
  #page: { readonly file: string; readonly dataUrls: ReadonlyMap<string, string> } | null = null;
  /** Documents whose bytes are missing. */
  lacking = 0;

  constructor(answers: Answers, account: ReadAccount) {
    this.#answers = answers;
    this.#account = account;
    const documents = account.lists.get("documents") ?? [];
    this.#documents = new Map(documents.map((document) => [String(document.uuid), document]));
  }

  /** Returns the `data:` address of a photo or document; null if its bytes are missing. */
  async dataUrlOf(type: string, uuid: string): Promise<string | null> {
    return type === "photo" ? await this.#photo(uuid) : await this.#document(uuid);
  }

  async #photo(uuid: string): Promise<string | null> {
    const file = this.#account.photoFiles.get(uuid) ?? "";
    if (this.#page?.file !== file) {
      const { records } = await this.#answers.readStored(file, readPage);
      const texts = records.flatMap(({ uuid, dataUrl }) =>
        typeof dataUrl === "string" ? [[String(uuid), dataUrl] as const] : []
      );
      this.#page = { file, dataUrls: new Map(texts) };
    }
    return this.#page.dataUrls.get(uuid) ?? null;
  }

  async #document(uuid: string): Promise<string | null> {
    const { id, link = null, filesize = null, mime_type } = this.#documents.get(uuid) ?? {};
    const bytes = await this.#answers.readFile(`document-${id}`, link, filesize);
    if (bytes === null) this.lacking++;
    return bytes && `data:${mime_type ?? ""};base64,${bytes.toBase64()}`;
  }
}
