/** Starts with the zone files of ZONEINFO, and starts without usable zone data. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import { failStart, startServer } from "../support/server_process.ts";
import { ZONE_FOLDER } from "../support/zone_files.ts";

Deno.test("A start with ZONEINFO reads that folder, and says so", async () => {
  await using place = await createInstallation();
  await using server = await startServer({ ...place.env, ZONEINFO: ZONE_FOLDER });
  const { body } = await server.call("GET", "/api/v2/version");
  assertEquals(body.data.zoneData.source, "ZONEINFO");
});

Deno.test("A start without usable zone data ends with 78, and names the setting", async () => {
  await using place = await createInstallation({ untouched: true });
  const missing = await failStart({ ...place.env, ZONEINFO: `${place.dataDir}-zones` });
  assertEquals([missing.code, missing.stderr], [78, "ZONEINFO: is not a folder\n"]);
  const folder = await Deno.makeTempDir({ prefix: "prs-icu-" });
  try {
    await Deno.writeTextFile(`${folder}/zoneinfo64.res`, "not a file of ICU");
    const { code, stderr } = await failStart({ ...place.env, ICU_TIMEZONE_FILES_DIR: folder });
    assertEquals(code, 78, stderr);
    assertStringIncludes(stderr, "ICU_TIMEZONE_FILES_DIR: ");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
