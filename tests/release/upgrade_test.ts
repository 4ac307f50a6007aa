/**
 * "Upgrade" of the page "Keep it safe", with Deno: from the release before to this tree, and back.
 *
 * The release before is the newest tag; as long as there is none, it is the commit that added the
 * contract's snapshot.
 */

import { assert, assertEquals } from "@std/assert";
import { RELEASE } from "../../src/database/release.ts";
import { commandsOf, Operator } from "../support/keep_it_safe.ts";
import { readRecord, readVersion, setUpBy, signIn, writeRecord } from "../support/kept_record.ts";
import { freePort } from "../support/ports.ts";
import { PROJECT } from "../support/server_process.ts";

async function git(...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args, cwd: PROJECT })
    .output();
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

async function releaseBefore(): Promise<string> {
  const [tag = ""] = (await git("tag", "--sort=-creatordate", "--merged", "HEAD")).split("\n");
  if (tag !== "") return tag;
  const added = ["log", "--diff-filter=A", "--format=%H", "--", "tests/http/contract.snapshot.txt"];
  return (await git(...added)).split("\n").at(-1) ?? "";
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

/** Each member that the release before answered is the same; this one may answer more. */
function assertStays(before: string, now: string): void {
  const [former, present] = [JSON.parse(before), JSON.parse(now)];
  assertEquals({ ...present, ...former }, present);
}

Deno.test("A record survives the upgrade from the release before, and the way back", async () => {
  const folder = await Deno.makeTempDir({ prefix: "prs-upgrade-" });
  const port = freePort();
  try {
    await unpack(await releaseBefore(), `${folder}/OLD`);
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
    assertStays(record, await readRecord(port, token, path));
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
