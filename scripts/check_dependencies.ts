/**
 * Checks that the project depends on three packages only: in `deno.json`, in `deno.lock` with
 * checksums, and in imports.
 */

import { importsOf, readSources, type Sources, withoutComments } from "./module_graph.ts";
import { print } from "./print.ts";

/** The whole budget. To add a name, see README.md. */
const PACKAGES: readonly string[] = [
  "@electric-sql/pglite",
  "@electric-sql/pglite-prepopulatedfs",
  "postgres",
];

interface Manifest {
  readonly imports: Readonly<Record<string, string>>;
}

/** The allowed parts of `deno.lock`. */
interface Lock {
  readonly version: string;
  readonly specifiers: Readonly<Record<string, string>>;
  readonly npm: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly workspace: { readonly dependencies: readonly string[] };
}

/** One sentence each. */
export function findExcess(manifest: Manifest, lock: Lock, sources: Sources): string[] {
  return [...checkManifest(manifest), ...checkLock(lock, manifest), ...checkSources(sources)];
}

/** Maps only to allowed packages at exact versions, or to files of this tree. */
function checkManifest({ imports }: Manifest): string[] {
  const mapped = Object.entries(imports).flatMap(([name, target]) => {
    if (PACKAGES.includes(name)) {
      const version = target.startsWith(`npm:${name}@`) ? target.slice(`npm:${name}@`.length) : "";
      return /^\d+\.\d+\.\d+$/.test(version) ? [] : [`deno.json: ${name} has no exact version`];
    }
    return target.startsWith("./") ? [] : [`deno.json: maps ${name} to ${target}`];
  });
  const missing = PACKAGES.filter((name) => !Object.hasOwn(imports, name));
  return [...mapped, ...missing.map((name) => `deno.json: lacks ${name}`)];
}

/** Only the pinned packages, each with a checksum and no other member. */
function checkLock(lock: Lock, { imports }: Manifest): string[] {
  const pinned = PACKAGES.map((name) => imports[name] ?? "").filter((target) => target !== "");
  const packages = pinned.map((target) => target.replace(/^npm:/, ""));
  const sections = ["version", "specifiers", "npm", "workspace"];
  return [
    ...compare("deno.lock", Object.keys(lock), sections),
    ...compare("deno.lock specifiers", Object.keys(lock.specifiers ?? {}), pinned),
    ...compare("deno.lock workspace", Object.keys(lock.workspace ?? {}), ["dependencies"]),
    ...compare("deno.lock dependencies", lock.workspace?.dependencies ?? [], pinned),
    ...compare("deno.lock npm", Object.keys(lock.npm ?? {}).map(withoutPeers), packages),
    ...Object.entries(lock.npm ?? {}).flatMap(([name, entry]) => checkEntry(name, entry)),
  ];
}

const ENTRY_MEMBERS = ["dependencies", "integrity"];

/** `a@1.0.0_b@2.0.0` is a package with its peer's version. */
function withoutPeers(name: string): string {
  return name.replace(/(?<=@\d[^_]*)_.*$/, "");
}

/** Install scripts or foreign tarballs are extra members. */
function checkEntry(name: string, entry: Readonly<Record<string, unknown>>): string[] {
  const { integrity, dependencies = [] } = entry;
  const others = (dependencies as readonly string[]).filter((name) => !PACKAGES.includes(name));
  const isDigest = typeof integrity === "string" && /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);
  return [
    ...isDigest ? [] : [`deno.lock: ${name} has no SHA-512`],
    ...others.map((other) => `deno.lock: ${name} depends on ${other}`),
    ...compare(`deno.lock ${name}`, Object.keys({ dependencies, ...entry }), ENTRY_MEMBERS),
  ];
}

function compare(where: string, found: readonly string[], wanted: readonly string[]): string[] {
  return [
    ...found.filter((name) => !wanted.includes(name)).map((name) => `${where}: holds ${name}`),
    ...wanted.filter((name) => !found.includes(name)).map((name) => `${where}: lacks ${name}`),
  ];
}

function checkSources(sources: Sources): string[] {
  return [...sources].filter(([path]) => path.endsWith(".ts")).flatMap(([path, text]) =>
    importsOf(withoutComments(text))
      .filter((specifier) => !isWithinBudget(specifier))
      .map((specifier) => `${path}: imports "${specifier}"`)
  );
}

/** A file of this tree, a Deno built-in, or an allowed package. */
function isWithinBudget(specifier: string): boolean {
  return /^(\.{1,2}\/|node:|@std\/)/.test(specifier) ||
    PACKAGES.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}

export async function checkProject(project: string): Promise<string[]> {
  const read = async (name: string) => JSON.parse(await Deno.readTextFile(`${project}/${name}`));
  return findExcess(await read("deno.json"), await read("deno.lock"), await readSources(project));
}

if (import.meta.main) {
  const excess = await checkProject(".");
  const lines = [...excess, `${PACKAGES.length} packages, ${excess.length} beyond the budget`];
  print(lines.join("\n"));
  Deno.exitCode = excess.length === 0 ? 0 : 1;
}
