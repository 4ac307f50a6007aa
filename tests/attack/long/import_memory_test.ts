/** Reads the worst files of each format in a process with a limited heap, which ends beyond it. */

import { assertEquals } from "@std/assert";

const HEAP_MEBIBYTES = 22;

Deno.test("No format keeps more of a file in memory than its budget", async () => {
  const script = "tests/support/read_worst_files.ts";
  const flags = [`--v8-flags=--max-old-space-size=${HEAP_MEBIBYTES}`, "--allow-sys"];
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-check", ...flags, script],
    stderr: "null",
  }).output();
  assertEquals(new TextDecoder().decode(stdout).trim().split("\n"), [
    "lines of a card: read",
    "events of calendars: import.budget",
    "properties of calendars: import.budget",
    "lines of an event: read",
    "cells of a row: read",
    "lines of an open quote: read",
    "highlights of many books: import.budget",
    "levels of an item: read",
    "an open tag: xml.length",
    "a text of a note: read",
    "tasks of a note: read",
    "titles of notes: import.budget",
    "places of a timeline: import.budget",
    "sources of values: import.budget",
    "days of values: import.budget",
    "members of an entry: read",
  ]);
  assertEquals(code, 0);
});
