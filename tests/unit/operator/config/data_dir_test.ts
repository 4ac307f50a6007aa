import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import process from "node:process";
import { OperatorError } from "../../../../src/errors/operator_error.ts";
import {
  assertInstallation,
  assertUser,
  changeOwner,
  readOwner,
} from "../../../../src/operator/config/data_dir.ts";
import { explainForbidden } from "../../../../src/operator/config/file_errors.ts";
import { Secret } from "../../../../src/operator/config/secrets.ts";

const ROOT = 0;
const [NOBODY, OTHER] = [65534, 65533];
const isRoot = process.geteuid?.() === ROOT;

/** Runs a test with a folder that every user may enter. */
async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "prs-data-dir-" });
  const from = Deno.cwd();
  try {
    await Deno.chmod(folder, 0o711);
    await test(folder);
  } finally {
    Deno.chdir(from);
    await Deno.remove(folder, { recursive: true });
  }
}

/** Opens files by the rights of another user. */
async function as<T>(uid: number, act: () => Promise<T>): Promise<T> {
  process.seteuid?.(uid);
  try {
    return await act();
  } finally {
    process.seteuid?.(ROOT);
  }
}

Deno.test("A folder holds an installation if it has the files of its engine", () =>
  inFolder(async (folder) => {
    const [embedded, server] = [null, new Secret("postgres://db.example/prs")];
    const said = async (dataDir: string, databaseUrl: Secret | null) =>
      (await assertRejects(() => assertInstallation({ dataDir, databaseUrl }), OperatorError))
        .message;
    await Deno.writeTextFile(`${folder}/file`, "");
    await Deno.mkdir(`${folder}/empty`);
    for (const databaseUrl of [embedded, server]) {
      const cases = {
        none: "does not exist",
        empty: "holds no installation",
        file: "is not a folder",
      };
      for (const [name, problem] of Object.entries(cases)) {
        const text = await said(`${folder}/${name}`, databaseUrl);
        assertStringIncludes(text, `DATA_DIR "${folder}/${name}" ${problem}: `);
      }
    }
    await Deno.mkdir(`${folder}/empty/objects`);
    await assertInstallation({ dataDir: `${folder}/empty`, databaseUrl: server });
    await said(`${folder}/empty`, embedded);
    await Deno.mkdir(`${folder}/empty/postgres`);
    await assertInstallation({ dataDir: `${folder}/empty`, databaseUrl: embedded });
    assertEquals((await Array.fromAsync(Deno.readDir(folder))).length, 2);
  }));

Deno.test({
  name: "A command runs as the owner of DATA_DIR or of its installation, or as root",
  ignore: !isRoot,
  fn: () =>
    inFolder(async (folder) => {
      const settings = { dataDir: `${folder}/data`, databaseUrl: null };
      const isAllowed = (uid: number) =>
        as(uid, () => assertUser(settings)).then(() => true, (error) => error.message);
      assertEquals(await isAllowed(NOBODY), true);
      await Deno.mkdir(settings.dataDir);
      await Deno.chown(settings.dataDir, OTHER, OTHER);
      assertEquals([await isAllowed(ROOT), await isAllowed(OTHER)], [true, true]);
      assertEquals(
        await isAllowed(NOBODY),
        `DATA_DIR "${settings.dataDir}" belongs to user ${OTHER}, and this command runs as user ` +
          `${NOBODY}: run it as user ${OTHER} or root`,
      );
      assertEquals(await readOwner(settings), { uid: OTHER, gid: OTHER });
      // A mounted folder of another user.
      await Deno.mkdir(`${settings.dataDir}/postgres`);
      await Deno.chown(`${settings.dataDir}/postgres`, NOBODY, NOBODY);
      assertEquals([await isAllowed(NOBODY), await isAllowed(ROOT)], [true, true]);
      assertEquals(await readOwner(settings), { uid: NOBODY, gid: NOBODY });
      await Deno.chmod(folder, 0o700);
      assertStringIncludes(String(await isAllowed(OTHER)), "cannot be opened by user 65533");
    }),
});

Deno.test({
  name: "Root gives all files to the owner, and follows no link",
  ignore: !isRoot,
  fn: () =>
    inFolder(async (folder) => {
      const data = `${folder}/data`;
      await Deno.mkdir(`${data}/a/b`, { recursive: true });
      await Deno.writeTextFile(`${data}/a/b/file`, "");
      await Deno.mkdir(`${folder}/elsewhere`);
      await Deno.writeTextFile(`${folder}/elsewhere/file`, "");
      await Deno.symlink(`${folder}/elsewhere`, `${data}/folder`);
      await Deno.symlink(`${folder}/elsewhere/file`, `${data}/a/link`);
      changeOwner(data, { uid: NOBODY, gid: OTHER });
      for (const name of ["", "/a", "/a/b", "/a/b/file", "/folder", "/a/link"]) {
        const { uid, gid } = await Deno.lstat(`${data}${name}`);
        assertEquals([uid, gid], [NOBODY, OTHER], name);
      }
      for (const name of ["", "/elsewhere", "/elsewhere/file"]) {
        assertEquals((await Deno.lstat(`${folder}${name}`)).uid, ROOT, name);
      }
      changeOwner(`${folder}/none`, { uid: NOBODY, gid: NOBODY });
    }),
});

Deno.test({
  name: "A failure due to a file of another user names the file, the users and the remedy",
  ignore: !isRoot,
  fn: () =>
    inFolder(async (folder) => {
      const data = `${folder}/data`;
      const unclear = new WebAssembly.RuntimeError("unreachable");
      await Deno.mkdir(`${data}/postgres/base`, { recursive: true });
      await Deno.writeTextFile(`${data}/postgres/base/1259`, "", { mode: 0o600 });
      changeOwner(data, { uid: NOBODY, gid: NOBODY });
      assertEquals(await as(NOBODY, () => explainForbidden(unclear, data)), null);
      await Deno.chown(`${data}/postgres/base/1259`, ROOT, ROOT);
      const left = await as(NOBODY, () => explainForbidden(unclear, data));
      assertEquals(
        left,
        `"${data}/postgres/base/1259" cannot be opened by user ${NOBODY}, because it belongs to ` +
          `user 0: as root, run chown -R ${NOBODY} "${data}"`,
      );
      await Deno.chmod(data, 0o700);
      const foreign = await as(OTHER, () => explainForbidden(unclear, data));
      assert(
        foreign?.endsWith(`belongs to user ${NOBODY}: run this as user ${NOBODY}`),
        foreign ?? "",
      );
      const made = await as(OTHER, () =>
        Deno.mkdir(`${folder}/new`).catch((error) => explainForbidden(error, `${folder}/new`)));
      assertStringIncludes(
        String(made),
        `"${folder}/new" cannot be opened or created by user ${OTHER}`,
      );
    }),
});
