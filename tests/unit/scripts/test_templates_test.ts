import { assertEquals } from "@std/assert";
import { digestOfSources } from "../../../scripts/test_templates.ts";
import { PROJECT } from "../../support/server_process.ts";
import { copyFolder } from "../../support/template.ts";

/** Everything that determines a template. */
async function copySources(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = `${await Deno.makeTempDir({ prefix: "prs-sources-" })}/`;
  for (const folder of ["sql", "src/core", "src/database"]) {
    copyFolder(`${PROJECT}${folder}`, `${path}${folder}`);
  }
  await Deno.mkdir(`${path}tests/support`, { recursive: true });
  for (const file of ["deno.lock", "tests/support/template.ts"]) {
    await Deno.copyFile(`${PROJECT}${file}`, `${path}${file}`);
  }
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

Deno.test("A template is not reused once SQL, source, packages or server have changed", async () => {
  await using project = await copySources();
  const digest = () => digestOfSources("15.1", project.path);
  const seen = new Set([await digest(), await digestOfSources("15.2", project.path)]);
  assertEquals(await digest(), await digestOfSources("15.1"));
  const changes = [
    "sql/0001_guards.sql",
    "src/database/migrate.ts",
    "deno.lock",
    "sql/9999_new.sql",
  ];
  for (const path of changes) {
    await Deno.writeTextFile(`${project.path}${path}`, "-- more", { append: true });
    seen.add(await digest());
  }
  assertEquals(seen.size, 2 + changes.length);
});
