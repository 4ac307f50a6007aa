/** Files that are not account files stop at their first wrong line. */

import { assert, assertEquals } from "@std/assert";
import { OWN_FILE } from "../../src/portability/json_lines.ts";
import { filesUnder } from "../support/attachments.ts";
import { fileWorld } from "../support/world.ts";
import { importFile } from "./account.ts";
import { assertFailure } from "./kernel.ts";

const world = fileWorld();

const MIB = 1024 * 1024;
/** More than is read of any of these files. */
const ENDLESS = 500 * MIB;

/** How much of a body was read. */
interface Watched {
  readonly body: ReadableStream<Uint8Array>;
  sent: number;
  isCancelled: boolean;
}

/** Repeats a chunk for 500 MiB. */
function endless(beginning: string, chunk: Uint8Array): Watched {
  const head = new TextEncoder().encode(beginning);
  const watched = { sent: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = watched.sent === 0 && head.length > 0 ? head : chunk;
      watched.sent += next.length;
      controller.enqueue(next.slice());
      if (watched.sent >= ENDLESS) controller.close();
    },
    cancel() {
      watched.isCancelled = true;
    },
  }, { highWaterMark: 0 });
  return Object.assign(watched, { body });
}

function lines(line: string): Uint8Array {
  return new TextEncoder().encode(`${line}\n`.repeat(64));
}

const ZEROS = new Uint8Array(64 * 1024);
const NOISE = crypto.getRandomValues(new Uint8Array(64 * 1024));
const HEAD = `${OWN_FILE.headLine}\n`;

/** Content, rules, and the maximum MiB read. */
const FILES: Readonly<Record<string, readonly [Watched, readonly string[], number]>> = {
  "zeros": [endless("", ZEROS), ["import.line_length"], 9],
  "zeros after the first line": [endless(HEAD, ZEROS), ["import.line_length"], 9],
  "another first line": [
    endless('{"format":"other","version":1}\n', ZEROS),
    ["import.format"],
    1,
  ],
  "another version": [
    endless('{"format":"prs-account","version":2}\n', ZEROS),
    ["import.version"],
    1,
  ],
  "a first line that is no JSON": [endless("PK\x03\x04\n", NOISE), ["json.syntax"], 1],
  "lines that are no JSON": [endless(HEAD, lines("a text")), ["json.syntax"], 1],
  "lines that are no rows": [endless(HEAD, lines("{}")), ["import.type"], 1],
  "empty lines": [endless(HEAD, lines("")), ["json.syntax"], 1],
};

for (const [name, [file, rules, mebibytes]] of Object.entries(FILES)) {
  Deno.test(`Import of ${name} stops before the rest is read, and leaves nothing`, async () => {
    const caller = await world().createCaller();
    const refused = await importFile(caller, file.body);
    const details = assertFailure(refused, "PAYLOAD_INVALID");
    assertEquals(details.rules, rules);
    assert(file.sent <= mebibytes * MIB, `${file.sent} bytes were read`);
    assertEquals(file.isCancelled, true);
    assertEquals(await filesUnder(world().spoolFolder), []);
  });
}

Deno.test("Import of noise stops early, after any beginning", async () => {
  const caller = await world().createCaller();
  for (const beginning of ["", HEAD]) {
    const file = endless(beginning, NOISE);
    assertFailure(await importFile(caller, file.body), "PAYLOAD_INVALID");
    assert(file.sent <= 9 * MIB, `${file.sent} bytes were read`);
  }
});
