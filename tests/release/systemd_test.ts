/** The systemd unit, parsed and rated by systemd itself. Ignored without `systemd-analyze`. */

import { assert, assertEquals } from "@std/assert";
import { findProgram } from "../support/programs.ts";
import { PROJECT } from "../support/server_process.ts";

const NAME = "personal-records-service";
const ANALYZE = findProgram("systemd-analyze");
/** In tenths, as in the chapter. */
const MAX_EXPOSURE = 15;

async function analyze(...args: string[]): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(ANALYZE ?? "", { args }).output();
  const [out = "", errors = ""] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, text: `${out}${errors}` };
}

Deno.test({
  name: "systemd accepts the unit, and rates its exposure as low",
  ignore: ANALYZE === undefined,
  async fn() {
    const root = await Deno.makeTempDir({ prefix: "prs-unit-" });
    try {
      const unit = `${root}/etc/systemd/system/${NAME}.service`;
      await Deno.mkdir(`${root}/etc/systemd/system`, { recursive: true });
      await Deno.mkdir(`${root}/usr/local/bin`, { recursive: true });
      await Deno.writeTextFile(`${root}/usr/local/bin/${NAME}`, "", { mode: 0o755 });
      for (const name of ["sysinit", "basic", "shutdown", "network-online", "multi-user"]) {
        await Deno.writeTextFile(`${root}/etc/systemd/system/${name}.target`, "[Unit]\n");
      }
      await Deno.copyFile(`${PROJECT}/scripts/deploy/${NAME}.service`, unit);
      const { text } = await analyze("verify", `--root=${root}`, `${NAME}.service`);
      assertEquals(text.split("\n").filter((line) => line.includes(NAME)), []);
      const rated = await analyze(
        "security",
        "--offline=true",
        `--threshold=${MAX_EXPOSURE}`,
        unit,
      );
      assert(rated.code === 0, rated.text);
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  },
});
