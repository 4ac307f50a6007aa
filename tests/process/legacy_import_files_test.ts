/** Files accepted by an import without a server. */

import { assertEquals } from "@std/assert";
import { newLegacyRecords } from "../http/legacy.ts";
import { runAdmin } from "../support/admin_process.ts";
import { createInstallation } from "../support/installation.ts";
import { toImportFile } from "../support/legacy_records.ts";
import { importWords, rowsOf } from "./legacy_import.ts";

Deno.test("Import without a server opens the database itself, and accepts files of DATA_DIR only", async () => {
  await using place = await createInstallation();
  await place.settle();
  const records = newLegacyRecords({ now: () => new Date() }, 3);
  const words = await importWords(place, toImportFile(records));
  const done = await runAdmin(place.env, words);
  assertEquals([done.code, done.stderr], [0, ""]);
  const revisions = records.reduce((sum, { revisions: { length } }) => sum + length, 0);
  assertEquals(await rowsOf(place), [3, revisions, 3]);

  const outside = await Deno.makeTempFile();
  // `unit/operator/admin/data_file` has the other refused files.
  const refused = await runAdmin(place.env, words.with(-1, outside));
  assertEquals([refused.code, refused.stdout, refused.stderr], [
    1,
    "",
    "--file: cannot be read; it must be under DATA_DIR\n",
  ]);
  await Deno.remove(outside);
  assertEquals(await rowsOf(place), [3, revisions, 3]);
});
