import { assert, assertEquals } from "@std/assert";
import { prsPermissions } from "../../../scripts/prs_permissions.ts";
import { PROJECT } from "../../support/server_process.ts";

const NAMES = ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "VISUAL", "EDITOR"];

/** The flags for words, in a home with a configuration. */
async function flagsOf(...words: readonly string[]): Promise<string[]> {
  const home = await Deno.makeTempDir();
  const before = NAMES.map((name) => [name, Deno.env.get(name)] as const);
  try {
    for (const name of NAMES) Deno.env.delete(name);
    Deno.env.set("HOME", home);
    Deno.env.set("EDITOR", "nano -w");
    await Deno.mkdir(`${home}/.config/prs`, { recursive: true });
    const config = { origin: "https://records.example", token: "prs_p_x" };
    await Deno.writeTextFile(`${home}/.config/prs/config.json`, JSON.stringify(config));
    return (await prsPermissions(words)).map((flag) => flag.replaceAll(home, "~"));
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
    await Deno.remove(home, { recursive: true });
  }
}

const FOLDERS = "~/.config/prs,~/.local/state/prs";
const BASE = ["--no-prompt", `--allow-env=${NAMES.join()}`];

Deno.test("prs may reach its folders, its origin, and what its words name", async () => {
  const read = `--allow-read=${FOLDERS}`;
  const write = `--allow-write=${FOLDERS}`;
  const net = "--allow-net=records.example:443";
  assertEquals(await flagsOf("list", "capture"), [...BASE, read, write, net]);
  assertEquals(await flagsOf("list", "capture", "--from", "2026-01-01"), [
    ...BASE,
    read,
    write,
    net,
  ]);
  assertEquals(await flagsOf("login", "http://[::1]:8000"), [
    ...BASE,
    read,
    write,
    "--allow-net=[::1]:8000",
    "--allow-sys=hostname",
  ]);
  assertEquals(await flagsOf("edit", "x"), [...BASE, read, write, net, "--allow-run=nano"]);
  assertEquals(await flagsOf("files", "put", "/a,b c"), [...BASE, `${read},/a,,b c`, write, net]);
  assertEquals(await flagsOf("export", "--file", "/x"), [...BASE, read, `${write},/x`, net]);
});

Deno.test("prs fetch may reach the one host, and neither the folders nor the origin of prs", async () => {
  const words = ["fetch", "monica", "--token-file", "/t", "--out", "/o"];
  assertEquals(await flagsOf(...words, "--from", "https://monica.example/m"), [
    ...BASE,
    "--allow-read=/t,/o",
    "--allow-write=/o",
    "--allow-net=monica.example:443",
  ]);
  assertEquals(await flagsOf("fetch", "monica"), BASE);
});

Deno.test("prs may do nothing for words that it does not know", async () => {
  for (const words of [[], ["list"], ["add", "--token", "x"]]) {
    assertEquals(await flagsOf(...words), BASE);
  }
});

Deno.test("The task prs runs the command with these permissions", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${PROJECT}/deno.json`));
  assertEquals(tasks.prs.command, "sh scripts/prs.sh");
  const script = await Deno.readTextFile(`${PROJECT}/scripts/prs.sh`);
  assert(script.includes('deno run --no-config $flags "$project/src/prs/main.ts" "$@"'));
  assert(!/-A\b|--allow-all/.test(script));
});
