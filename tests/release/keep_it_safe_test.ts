/** The page "Keep it safe" with Deno: back up, take off the machine, restore. */

import { assertEquals } from "@std/assert";
import { commandsOf, Operator } from "../support/keep_it_safe.ts";
import { freePort } from "../support/ports.ts";
import { PROJECT } from "../support/server_process.ts";
import { readRecord, setUpBy, signIn, writeRecord } from "../support/kept_record.ts";

Deno.test("A backup that was taken off the machine restores a record", async () => {
  const folder = await Deno.makeTempDir({ prefix: "prs-keep-" });
  const disk = `${folder}/disk`;
  await Deno.mkdir(disk);
  const place = (dataDir: string, port: number) => ({
    cwd: PROJECT,
    env: { DATA_DIR: dataDir, PORT: String(port) },
    words: { "data/": `${dataDir}/`, "/media/disk": disk },
  });
  const [port, later] = [freePort(), freePort()];
  try {
    await using before = new Operator(place(`${folder}/before`, port));
    await before.run(["deno task start"]);
    const token = await setUpBy(port, await before.welcome());
    const path = await writeRecord(port, token);
    const record = await readRecord(port, token, path);
    await before.run(commandsOf("Back up", "With Deno"));
    await before.run(commandsOf("Take the backup off the machine", "With Deno"));
    await before.stop();
    await Deno.remove(`${folder}/before`, { recursive: true });

    const [file = ""] = Array.from(Deno.readDirSync(disk), ({ name }) => name);
    const { words, ...there } = place(`${folder}/after`, later);
    await using after = new Operator({ ...there, words: { ...words, FILE: file } });
    await after.run(commandsOf("Restore", "With Deno"));
    assertEquals(await readRecord(later, await signIn(later), path), record);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
