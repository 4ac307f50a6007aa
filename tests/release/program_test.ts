/**
 * The packed program, started, with a record before and after kill -9. Ignored if `DENORT_BIN` does
 * not name Deno's runtime: a program packed with Deno's command line instead does not start.
 */

import { assert, assertEquals } from "@std/assert";
import { compileArguments } from "../../scripts/compile.ts";
import { RELEASE } from "../../src/database/release.ts";
import { readRecord, readVersion, setUpBy, writeRecord } from "../support/kept_record.ts";
import { freePort } from "../support/ports.ts";
import { Output, ownEnvironment, PROJECT } from "../support/server_process.ts";

const RUNTIME = Deno.env.get("DENORT_BIN");

/** True for Deno's command line, which answers this word and the runtime does not. */
async function isCommandLine(path: string): Promise<boolean> {
  const { stdout } = await new Deno.Command(path, { args: ["--version"], stdin: "null" }).output();
  return new TextDecoder().decode(stdout).startsWith("deno ");
}

Deno.test({
  name: "The packed program starts, and keeps a record through kill -9",
  ignore: RUNTIME === undefined || await isCommandLine(RUNTIME),
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "prs-program-" });
    const [program, dataDir, port] = [`${folder}/program`, `${folder}/data`, freePort()];
    try {
      const { success } = await new Deno.Command(Deno.execPath(), {
        args: compileArguments(dataDir, program),
        cwd: PROJECT,
      }).output();
      assert(success);
      const start = () => {
        const child = new Deno.Command(program, {
          cwd: folder,
          clearEnv: true,
          env: { ...ownEnvironment(), DATA_DIR: dataDir, PORT: String(port) },
          stdout: "null",
          stderr: "piped",
        }).spawn();
        return { child, stderr: new Output(child.stderr) };
      };
      const first = start();
      await first.stderr.until(/"setupToken"/);
      const token = await setUpBy(port, first.stderr.text);
      const path = await writeRecord(port, token);
      const record = await readRecord(port, token, path);
      first.child.kill("SIGKILL");
      await Promise.all([first.child.status, first.stderr.ended]);
      const second = start();
      await second.stderr.until(/is ready at/);
      assertEquals(await readRecord(port, token, path), record);
      assertEquals(await readVersion(port), RELEASE);
      second.child.kill("SIGTERM");
      await Promise.all([second.child.status, second.stderr.ended]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
