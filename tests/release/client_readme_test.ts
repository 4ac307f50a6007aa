// engines: postgres
/** Runs every block of the chapter about the client package and its command. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { chapter } from "../support/chapters.ts";
import { openPrs } from "../support/prs.ts";
import { PROJECT } from "../support/server_process.ts";

const BLOCKS = Array.from(
  chapter("src/client/README.md").matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm),
  ([, language = "", text = ""]) => ({ language, text }),
);

function blocks(language: string): string[] {
  return BLOCKS.filter((block) => block.language === language).map(({ text }) => text);
}

Deno.test("The chapter of the client has programs and commands, and nothing else", () => {
  assertEquals(new Set(BLOCKS.map(({ language }) => language)), new Set(["ts", "sh"]));
});

Deno.test("The chapter's program works as described, and its types are right", async () => {
  await using place = await openPrs({});
  const { secret } = await place.world.createCaller();
  const program = `const token = Deno.args[0] ?? "";\n${blocks("ts").join("\n")}`
    .replace(`"@personal-records/client"`, `"${PROJECT}/src/client/mod.ts"`)
    .replace("http://localhost:8000", place.origin);
  const path = `${place.home}/program.ts`;
  await Deno.writeTextFile(path, program);
  const net = `--allow-net=${new URL(place.origin).host}`;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--check", "--no-config", "--no-prompt", net, path, secret],
    env: { NO_COLOR: "1" },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assertEquals(code, 0, text(stderr));
  assertEquals(text(stdout).trim().split("\n"), [
    "201 The ladder false",
    "The ladder",
    "2",
    "commitment CREATED",
    "commitment MODIFIED",
    "some bytes",
    "RECORD_NOT_FOUND 404 true",
  ]);
});

/** The block that names the command, for this checkout; the test task has set `INIT_CWD`. */
function alias(): string {
  const [line = ""] = blocks("sh").filter((block) => block.startsWith("alias prs="));
  assert(line !== "");
  return `unset INIT_CWD\nshopt -s expand_aliases\n${
    line.replace("~/personal-records-service", PROJECT)
  }`;
}

Deno.test("The chapter's commands succeed, by its alias", async () => {
  await using place = await openPrs();
  await Deno.writeTextFile(`${place.home}/note.txt`, "a note");
  const printed: string[] = [];
  for (const block of blocks("sh").filter((text) => !text.startsWith("alias"))) {
    const script = block.replace("http://localhost:8000", place.origin)
      .replace("you@example.org", place.email);
    const child = new Deno.Command("bash", {
      args: ["-euo", "pipefail", "-c", `${alias()}\n${script}`],
      cwd: place.home,
      env: { HOME: place.home, XDG_CONFIG_HOME: "", XDG_STATE_HOME: "" },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(`${place.password}\n`)).catch(() => {});
    await writer.close().catch(() => {});
    const { success, stdout, stderr } = await child.output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assert(success, `${block}\n${text(stderr)}`);
    printed.push(text(stdout));
  }
  assertMatch(printed[0] ?? "", /\tprs on my laptop\n$/);
  assertMatch(printed[1] ?? "", /^[0-9A-Z]{26}\n[0-9A-Z]{26}\ncapture\/\S+\tBuy paint\n\{.*\}\n/);
  assertEquals(await Deno.readTextFile(`${place.home}/copy.txt`), "a note");
});
