/** The page "Keep it safe" with Deno, and with a program in place of the packed one. */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { commandsOf, Operator, programLines } from "../support/keep_it_safe.ts";
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
    const encrypted = await before.run(commandsOf("Encrypt the backups", "With Deno"));
    assertStringIncludes(encrypted[4] ?? "", "Whole: ");
    await before.run(commandsOf("Back up", "With Deno"));
    await before.run(commandsOf("Take the backup off the machine", "With Deno"));
    await before.stop();
    await Deno.remove(`${folder}/before`, { recursive: true });

    const names = Array.from(Deno.readDirSync(disk), ({ name }) => name);
    const file = names.find((name) => name.endsWith(".gz")) ?? "";
    const { words, ...there } = place(`${folder}/after`, later);
    await using after = new Operator({ ...there, words: { ...words, FILE: file } });
    await after.run(commandsOf("Restore", "With Deno"));
    assertEquals(await readRecord(later, await signIn(later), path), record);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("The page's commands for one program keep a record, and its way back", async () => {
  const folder = await Deno.makeTempDir({ prefix: "prs-keep-" });
  const [bin, disk, dataDir] = [`${folder}/bin`, `${folder}/disk`, `${folder}/records`];
  const port = freePort();
  // This source replaces the packed program; this user replaces root and the service's user.
  const program = `#!/bin/sh\ncd ${PROJECT} && exec deno task --quiet run "$@"\n`;
  for (const path of [bin, disk, `${folder}/dist`]) await Deno.mkdir(path);
  for (const path of [bin, `${folder}/dist`]) {
    await Deno.writeTextFile(`${path}/personal-records-service`, program, { mode: 0o755 });
  }
  const commands = (task: string, block = 0) => commandsOf(task, "As one program", block);
  try {
    await using operator = new Operator({
      cwd: folder,
      before: programLines(),
      env: {
        DATA_DIR: dataDir,
        PORT: String(port),
        PATH: `${bin}:${Deno.env.get("PATH")}`,
      },
      words: {
        "/var/lib/personal-records-service": dataDir,
        "sudo -u personal-records": "env",
        "sudo ": "",
        " -o personal-records -g personal-records": "",
        "/usr/local/bin": bin,
        "/media/disk": disk,
        "localhost:8000": `localhost:${port}`,
      },
    });
    await operator.run(["sudo systemctl start personal-records-service"]);
    const token = await setUpBy(port, await operator.welcome());
    const path = await writeRecord(port, token);
    const record = await readRecord(port, token, path);
    const encrypted = await operator.run(commands("Encrypt the backups"));
    assertStringIncludes(encrypted[4] ?? "", "Whole: ");
    const [, verified] = await operator.run(commands("Back up"));
    assertStringIncludes(verified ?? "", "rows");
    await operator.run(commands("Take the backup off the machine"));
    const ready = (await operator.run(commands("Upgrade"))).at(-1);
    assertStringIncludes(ready ?? "", "ready");
    await operator.run(commands("Take the backup off the machine"));
    const later = await writeRecord(port, token);
    await operator.run([...commands("Upgrade", 1), ...commands("Restore")]);
    const again = await signIn(port);
    assertEquals(await readRecord(port, again, path), record);
    await assertRejects(() => readRecord(port, again, later));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
