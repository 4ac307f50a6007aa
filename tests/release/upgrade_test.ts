/** "Upgrade" of the page "Keep it safe", with Deno: from release 2.0.0 to this tree, and back. */

import { assert, assertEquals } from "@std/assert";
import { RELEASE } from "../../src/database/release.ts";
import { commandsOf, Operator } from "../support/keep_it_safe.ts";
import { readRecord, readVersion, setUpBy, signIn, writeRecord } from "../support/kept_record.ts";
import { freePort } from "../support/ports.ts";
import { PROJECT } from "../support/server_process.ts";

/** Release 2.0.0. */
const FORMER_RELEASE = "ae3602c9";

async function git(...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("git", { args, cwd: PROJECT }).output();
  assert(success, new TextDecoder().decode(stderr));
}

/** Writes the source of a commit into a folder. */
async function unpack(revision: string, folder: string): Promise<void> {
  await Deno.mkdir(folder);
  await git("archive", "--output", `${folder}.tar`, revision);
  const { success } = await new Deno.Command("tar", {
    args: ["-xf", `${folder}.tar`, "-C", folder],
  })
    .output();
  assert(success);
}

Deno.test("A record survives the upgrade from the release before, and the way back", async () => {
  const folder = await Deno.makeTempDir({ prefix: "prs-upgrade-" });
  const port = freePort();
  try {
    await unpack(FORMER_RELEASE, `${folder}/OLD`);
    await unpack("HEAD", `${folder}/NEW`);
    await Deno.mkdir(`${folder}/disk`);
    await using operator = new Operator({
      cwd: `${folder}/OLD`,
      env: { PORT: String(port) },
      words: { "/media/disk": `${folder}/disk`, "localhost:8000": `localhost:${port}` },
    });
    await operator.run(["deno task start"]);
    const token = await setUpBy(port, await operator.welcome());
    const path = await writeRecord(port, token);
    const record = await readRecord(port, token, path);

    const [backUp = "", ...replace] = commandsOf("Upgrade", "With Deno");
    await operator.run([backUp]);
    await operator.run(commandsOf("Take the backup off the machine", "With Deno"));
    await operator.run(replace);
    assertEquals(await readVersion(port), RELEASE);
    // It may have more members.
    const upgraded = JSON.parse(await readRecord(port, token, path));
    assertEquals({ ...upgraded, ...JSON.parse(record) }, upgraded);
    const later = await writeRecord(port, token);

    await operator.run(commandsOf("Upgrade", "With Deno", 1));
    const again = await signIn(port);
    assertEquals(await readRecord(port, again, path), record);
    const gone = await fetch(`http://127.0.0.1:${port}${later}`, {
      headers: { Authorization: `Bearer ${again}` },
    });
    assertEquals(gone.status, 404);
    await gone.body?.cancel();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
