/**
 * Prints the addresses for the program's `--allow-net` with DATA_DIR as its word; with `--sockets`
 * the files of PostgreSQL's Unix sockets, each after a comma, for the flags of files.
 *
 * @module
 */

import { netAccess, socketFiles } from "../src/operator/config/net_access.ts";

const settings = {
  get: (name: string) => Deno.env.get(name),
  readFile: (path: string) => Deno.readTextFileSync(path),
  addresses: () => Deno.networkInterfaces().map(({ address }) => address),
};
const [word = "./data"] = Deno.args;
const text = word === "--sockets"
  ? socketFiles(settings).map((file) => `,${file}`).join("")
  : netAccess(settings, word).join();
Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
