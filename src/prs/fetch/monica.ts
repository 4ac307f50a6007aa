/** `fetch monica`: reads the API of Monica 4, and writes the file that an import reads. */

import { join } from "node:path";
import { ignoreNotFound } from "../../core/files.ts";
import { UsageError } from "../failures.ts";
import type { Input } from "../options.ts";
import { note, print } from "../terminal.ts";
import { toAccount } from "./account.ts";
import { Answers, readAccountId } from "./answers.ts";
import { exportText } from "./export_file.ts";
import { FileBytes } from "./file_bytes.ts";
import { MonicaClient, type Pause } from "./monica_client.ts";
import { readFetchOptions } from "./options.ts";
import { Pages } from "./pages.ts";
import { type ReadAccount, readAccount } from "./read_account.ts";

const FILE = "monica-4.json";

/** Continues an earlier run with the answers that it has stored. */
export async function fetchMonica(input: Input, pause?: Pause): Promise<void> {
  const { url, token, folder } = await readFetchOptions(input);
  const file = join(folder, FILE);
  if (await Deno.lstat(file).catch(ignoreNotFound)) throw new UsageError(`${file} exists`);
  const client = new MonicaClient(token, input.wait, pause);
  const account = await readAccountId(client, url);
  const pages = await Pages.open(join(folder, "pages"), JSON.stringify({ url, account }));
  const answers = new Answers(client, url, pages);
  const read = await readAccount(answers);
  const bytes = new FileBytes(answers, read);
  await pages.end(file, exportText(toAccount(read), (type, uuid) => bytes.dataUrlOf(type, uuid)));
  const counts = countsOf(read);
  const { documents = 0 } = counts;
  if (documents > 0) note(`${bytes.lacking} of ${documents} documents lack their bytes`);
  note("Monica's API lacks archived people whom nothing names, and whether a reminder has ended");
  print(input.isJson ? JSON.stringify({ file, counts }) : file);
}

function countsOf({ contacts, lists, relationships }: ReadAccount): Record<string, number> {
  const listed = [...lists].map(([list, records]) => [list, records.length]);
  return {
    ...Object.fromEntries(listed),
    contacts: contacts.length,
    relationships: relationships.length,
  };
}
