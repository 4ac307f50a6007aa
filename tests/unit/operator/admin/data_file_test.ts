import { assertEquals, assertRejects } from "@std/assert";
import { placeInDataDir, placeOfNewFile } from "../../../../src/operator/admin/data_file.ts";
import { OperatorError } from "../../../../src/errors/operator_error.ts";

const OUTSIDE = "--file: must be under DATA_DIR";
const UNREADABLE = "--file: cannot be read; it must be under DATA_DIR";

Deno.test("placeInDataDir() finds a file by any path into the data directory", async () => {
  const parent = await Deno.makeTempDir({ prefix: "prs-data-file-" });
  try {
    const dataDir = `${parent}/the data`;
    await Deno.mkdir(`${dataDir}/imports`, { recursive: true });
    for (const path of [`${dataDir}/imports/a`, `${dataDir}/..b`, `${parent}/outside`]) {
      await Deno.writeTextFile(path, "");
    }
    await Deno.symlink(dataDir, `${parent}/link`);
    await Deno.symlink(`${dataDir}/imports/a`, `${parent}/into`);
    await Deno.symlink(`${parent}/outside`, `${dataDir}/out`);
    const found: readonly [string, string, string][] = [
      [dataDir, `${dataDir}/imports/a`, "imports/a"],
      [dataDir, `${dataDir}/imports/../imports//a`, "imports/a"],
      [dataDir, `${parent}/link/imports/a`, "imports/a"],
      [`${parent}/link`, `${dataDir}/imports/a`, "imports/a"],
      [dataDir, `${parent}/into`, "imports/a"],
      [dataDir, `${dataDir}/..b`, "..b"],
    ];
    for (const [folder, path, place] of found) {
      assertEquals(await placeInDataDir(folder, path), place, path);
    }
    const refused: readonly [string, string][] = [
      [`${parent}/outside`, OUTSIDE],
      [`${dataDir}/../outside`, OUTSIDE],
      [`${dataDir}/out`, OUTSIDE],
      [parent, OUTSIDE],
      [`${dataDir}/nothing`, UNREADABLE],
      ["", UNREADABLE],
      [dataDir, "--file: is not a file"],
      [`${dataDir}/imports`, "--file: is not a file"],
    ];
    for (const [path, message] of refused) {
      await assertRejects(() => placeInDataDir(dataDir, path), OperatorError, message, path);
    }
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
});

Deno.test("placeOfNewFile() finds an unused place in the data directory", async () => {
  const parent = await Deno.makeTempDir({ prefix: "prs-data-file-" });
  try {
    const dataDir = `${parent}/the data`;
    await Deno.mkdir(`${dataDir}/exports`, { recursive: true });
    await Deno.writeTextFile(`${dataDir}/there`, "");
    await Deno.symlink(`${parent}/outside`, `${dataDir}/dangling`);
    await Deno.symlink(parent, `${dataDir}/out`);
    await Deno.symlink(dataDir, `${parent}/link`);
    const found: readonly [string, string][] = [
      [`${dataDir}/new`, "new"],
      [`${dataDir}/exports/../exports//new`, "exports/new"],
      [`${parent}/link/exports/new`, "exports/new"],
      [`${dataDir}/..b`, "..b"],
    ];
    for (const [path, place] of found) assertEquals(await placeOfNewFile(dataDir, path), place);
    const refused: readonly [string, string][] = [
      [`${parent}/new`, OUTSIDE],
      [`${dataDir}/out/new`, OUTSIDE],
      [`${dataDir}/exports/../../new`, OUTSIDE],
      [`${dataDir}/nowhere/new`, UNREADABLE],
      [`${dataDir}/there`, "--file: already exists"],
      [`${dataDir}/exports`, "--file: already exists"],
      [`${dataDir}/dangling`, "--file: already exists"],
      [dataDir, OUTSIDE],
      [`${dataDir}/exports/..`, OUTSIDE],
    ];
    for (const [path, message] of refused) {
      await assertRejects(() => placeOfNewFile(dataDir, path), OperatorError, message, path);
    }
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
});
