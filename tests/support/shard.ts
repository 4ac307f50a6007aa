/**
 * Loads the test files of `TEST_FILES` into one process, so that they share the compiled engine and
 * a world. A file that cannot be loaded is a failed test. Before the tests of a file comes one with
 * its path: a heading, which also measures the file's processor time, and opens its worlds after
 * closing those of the file before: together they would have more connections than PostgreSQL
 * allows.
 */

import { type FileWorld, takeFileWorlds } from "./file_worlds.ts";
import { processSeconds, SHARED } from "./processor_time.ts";

const FILES: readonly string[] = JSON.parse(Deno.env.get("TEST_FILES") ?? "[]");

const costs: Record<string, number> = {};
let current = SHARED;
let since = processSeconds(Deno.pid);

/**
 * Adds the time since the last call to the file that it was measured for, and begins another file.
 */
function measure(file: string): void {
  const now = processSeconds(Deno.pid);
  // The time of a browser's ended processes is lost with it.
  costs[current] = (costs[current] ?? 0) + Math.max(0, now - since);
  [current, since] = [file, now];
}

/** The files whose heading ran: with a filter, none. */
const headings: string[] = [];

addEventListener("unload", () => {
  measure(SHARED);
  const path = Deno.env.get("TEST_COSTS") ?? "";
  if (path) Deno.writeTextFileSync(path, JSON.stringify({ costs, headings }));
});

let opened: readonly FileWorld[] = [];

async function change(worlds: readonly FileWorld[]): Promise<void> {
  for (const world of opened) await world.close();
  opened = worlds;
  for (const world of opened) await world.open();
}

/** A filter leaves out most headings: all worlds are open all the time. */
const isFiltered = Deno.env.get("TEST_FILTERED") === "1";
const all: FileWorld[] = [];

for (const file of FILES) {
  let worlds: readonly FileWorld[] = [];
  const fn = async () => {
    measure(file);
    headings.push(file);
    if (!isFiltered) await change(worlds);
  };
  Deno.test({ name: file, sanitizeOps: false, sanitizeResources: false, fn });
  try {
    await import(new URL(`../../${file}`, import.meta.url).href);
    worlds = takeFileWorlds();
    all.push(...worlds);
  } catch (error) {
    Deno.test(`${file} loads`, () => {
      throw error;
    });
  }
}

if (isFiltered) Deno.test.beforeAll(() => change(all));
Deno.test.afterAll(() => change([]));
// Runs before the files' worlds are closed.
Deno.test.afterAll(() => measure(SHARED));
