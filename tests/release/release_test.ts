/**
 * `deno task release` on a clone of the newest commit, without a runtime and with one that starts
 * nothing.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { RELEASE } from "../../src/database/release.ts";
import { ownEnvironment, PROJECT } from "../support/server_process.ts";

const TITLE = `personal-records-service-${RELEASE.version}`;

async function run(cwd: string, command: string, args: string[]): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args,
    cwd,
    clearEnv: true,
    env: ownEnvironment(),
    stdin: "null",
  }).output();
  const [text = "", errors = ""] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert(success, `${command} ${args[0]}: ${text}${errors}`);
}

Deno.test("A release has its files, their digests, and a page that says what is not there", async () => {
  const folder = await Deno.makeTempDir({ prefix: "prs-release-test-" });
  try {
    const clone = `${folder}/clone`;
    await run(folder, "git", ["clone", "--quiet", PROJECT, clone]);
    const { DENORT_BIN: _own, ...env } = ownEnvironment();
    const release = async (more: Record<string, string>) => {
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["task", "--quiet", "release"],
        cwd: clone,
        clearEnv: true,
        env: { ...env, ...more, NO_COLOR: "1" },
        stdin: "null",
      }).output();
      return new TextDecoder().decode(stdout);
    };
    const page = await release({});
    const output = `${clone}/dist/release`;
    assertEquals(page, await Deno.readTextFile(`${output}/RELEASE.md`));
    assertStringIncludes(page, "to the same bytes");
    assertStringIncludes(page, "No program was packed");
    const files = Array.from(Deno.readDirSync(output), ({ name }) => name).sort();
    const built = [`${TITLE}-source.tar.gz`, `${TITLE}.cdx.json`];
    assertEquals(files, ["RELEASE.md", "SHA256SUMS", ...built]);
    await run(output, "sha256sum", ["--check", "--strict", "SHA256SUMS"]);
    await run(output, "tar", ["-xzf", built[0] ?? ""]);
    const unpacked = await Deno.readTextFile(`${output}/${TITLE}/deno.json`);
    assertEquals(unpacked, await Deno.readTextFile(`${clone}/deno.json`));

    const left = await release({ DENORT_BIN: Deno.execPath() });
    assertStringIncludes(left, "was left out: it does not start");
    assertStringIncludes(left, "to the same bytes");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
