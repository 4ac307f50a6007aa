/** Command lines that `prs` does not understand. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readInput } from "../../../src/prs/options.ts";
import { COMMANDS, runPrs } from "../../../src/prs/prs.ts";
import { section } from "../../support/chapters.ts";

const VARIABLES = ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "VISUAL", "EDITOR"];

/** Runs command lines without a reachable service; returns the output of each. */
async function runIn(
  home: string,
  lines: readonly (readonly string[])[],
): Promise<{ readonly code: number; readonly out: string; readonly error: string }[]> {
  const before = VARIABLES.map((name) => [name, Deno.env.get(name)] as const);
  const streams = [Deno.stdout, Deno.stderr] as const;
  const originals = streams.map((stream) => stream.writeSync);
  const ends = [];
  try {
    for (const name of VARIABLES) Deno.env.delete(name);
    Deno.env.set("HOME", home);
    for (const words of lines) {
      const said = ["", ""];
      for (const [index, stream] of streams.entries()) {
        const writeSync = (bytes: Uint8Array) => {
          said[index] += new TextDecoder().decode(bytes);
          return bytes.length;
        };
        Object.assign(stream, { writeSync });
      }
      const code = await runPrs(words);
      ends.push({ code, out: said[0] ?? "", error: said[1] ?? "" });
    }
  } finally {
    for (const [index, stream] of streams.entries()) {
      Object.assign(stream, { writeSync: originals[index] });
    }
    for (const [name, value] of before) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
  }
  return ends;
}

Deno.test("prs refuses words and options that it does not know, before any request", async () => {
  const home = await Deno.makeTempDir({ prefix: "prs-home-" });
  try {
    await Deno.mkdir(`${home}/.config/prs`, { recursive: true });
    // A request would end with 4.
    const config = JSON.stringify({ origin: "http://127.0.0.1:1", token: "prs_p_x" });
    await Deno.writeTextFile(`${home}/.config/prs/config.json`, config, { mode: 0o600 });
    const lines = [
      [],
      ["nothing"],
      ["list"],
      ["list", "a", "b"],
      ["add", "a", "b"],
      ["add", "--limit", "3"],
      ["show", "commitment/"],
      ["files", "get", ".."],
      ["list", "capture", "--limit"],
      ["list", "capture", "--limit", "-1"],
      ["login"],
      ["list", "capture", "--archived", "all"],
      ["--wait", "soon", "sync"],
      ["export"],
      ["login", "http://example.org"],
      ["login", "https://a:b@example.org"],
      ["mcp"],
      ["add", "   "],
      ["add", "--token", "x"],
      ["files", "cut", "x"],
      ["search", " "],
      ["login", "https://example.org/path"],
      ["edit", "commitment/x"],
      ["sync", "--json=1"],
      ["list", "capture", "--sort", "name"],
      ["list", "capture", "--from", "2026-02-30"],
      ["insight"],
      ["insight", "series"],
      ["insight", "series", "health", "value", "--by", "hour"],
      ["insight", "days", "--until", "tomorrow"],
      ["insight", "week", "--zone", "Nowhere/Else"],
      ["insight", "week", "--start", "2026-1-1"],
      ["insight", "contacts", "--limit", "x"],
    ];
    const ends = await runIn(home, lines);
    for (const [index, { code, out }] of ends.entries()) {
      assertEquals([code, out], [2, ""], lines[index]?.join(" "));
    }
    assertStringIncludes(ends[0]?.error ?? "", "prs add [TEXT|-]");
    assertStringIncludes(ends[0]?.error ?? "", "[--mapping FILE]");
    const left = await Array.fromAsync(Deno.readDir(home), ({ name }) => name);
    assert(!left.includes(".local"), left.join());
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("The chapter of assistants starts prs with words that it knows", () => {
  const [, text = ""] = section("src/assistants/README.md", "Lend modules").split("```json\n");
  const { mcpServers } = JSON.parse(text.split("```")[0] ?? "");
  const [word, ...args] = mcpServers.records.args;
  const { command, option } = readInput(args, COMMANDS);
  assertEquals([word, command.name], ["prs", "mcp"]);
  assert(option("--token-file")?.startsWith("/"));
});

Deno.test("prs writes no bytes of a file to a terminal, which would obey controls in them", async () => {
  const home = await Deno.makeTempDir({ prefix: "prs-home-" });
  const { isTerminal } = Deno.stdout;
  try {
    Object.assign(Deno.stdout, { isTerminal: () => true });
    const [end] = await runIn(home, [["files", "get", "01JD5A0000000000000000F11E"]]);
    assertEquals(end, { code: 2, out: "", error: "-o: required at a terminal\n" });
  } finally {
    Object.assign(Deno.stdout, { isTerminal });
    await Deno.remove(home, { recursive: true });
  }
});
