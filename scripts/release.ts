/**
 * `deno task release`: writes the files of a release into `dist/release`, and one page that lists
 * the built files and the checks.
 *
 * Everything is built twice from the committed source, and compared. A program is packed for each
 * runtime that `DENORT_BIN` names, several separated by colons; one that does not start is left
 * out.
 */

import { writeText } from "../src/core/output.ts";
import { compileArguments } from "./compile.ts";
import { sbomOf } from "./sbom.ts";

const NAME = "personal-records-service";
const OUTPUT = "dist/release";
/** A packed program contains the path of its source, so the same files need the same path. */
const BUILD = "/var/tmp/personal-records-service-release";
/** The program may write to the folder of the task, and to that of the systemd unit. */
const DATA_DIR = `./data,/var/lib/${NAME}`;
/** Names of processors by `e_machine` of an ELF file. */
const MACHINES: Readonly<Record<number, string>> = { 62: "x86_64", 183: "aarch64" };

interface Built {
  readonly files: readonly string[];
  /** Programs that do not start; only compared. */
  readonly left: readonly string[];
  readonly notes: readonly string[];
}

if (import.meta.main) await main();

async function main(): Promise<void> {
  if (await git("status", "--porcelain") !== "") throw new Error("The work tree has changes");
  const commit = (await git("rev-parse", "HEAD")).trim();
  const scratch = await Deno.makeTempDir({ prefix: "prs-release-" });
  // Fails if it exists, so that only files of this build are packed.
  await Deno.mkdir(BUILD, { mode: 0o700 });
  try {
    const [first, second] = [`${scratch}/first`, `${scratch}/second`];
    const built = await build(`${BUILD}/source`);
    await run("mv", [`${BUILD}/source`, first], Deno.cwd());
    await build(`${BUILD}/source`);
    await run("mv", [`${BUILD}/source`, second], Deno.cwd());
    const differing = await differences(first, second, [...built.files, ...built.left]);
    await Deno.remove(OUTPUT, { recursive: true }).catch(() => {});
    await Deno.mkdir(OUTPUT, { recursive: true });
    for (const file of built.files) await Deno.copyFile(`${first}/${file}`, `${OUTPUT}/${file}`);
    const sums = await Promise.all(
      built.files.map(async (file) => `${await digestOf(`${OUTPUT}/${file}`)}  ${file}\n`),
    );
    await Deno.writeTextFile(`${OUTPUT}/SHA256SUMS`, sums.join(""));
    const page = await describe(commit, built, differing);
    await Deno.writeTextFile(`${OUTPUT}/RELEASE.md`, page);
    writeText(Deno.stdout, page);
    Deno.exitCode = differing.length === 0 ? 0 : 1;
  } finally {
    for (const folder of [scratch, BUILD]) await Deno.remove(folder, { recursive: true });
  }
}

/** Builds from the committed source, below a folder; `files` are in it. */
async function build(folder: string): Promise<Built> {
  await Deno.mkdir(folder);
  const { version } = JSON.parse(await Deno.readTextFile("deno.json"));
  const title = `${NAME}-${version}`;
  const archive = `${title}-source.tar.gz`;
  await git("archive", `--prefix=${title}/`, `--output=${folder}/${archive}`, "HEAD");
  await run("tar", ["-xzf", archive], folder);
  const source = `${folder}/${title}`;
  const lock = JSON.parse(await Deno.readTextFile(`${source}/deno.lock`));
  const bom = sbomOf(lock, { version, runtime: Deno.version.deno });
  await Deno.writeTextFile(`${folder}/${title}.cdx.json`, `${JSON.stringify(bom, null, 2)}\n`);

  const files = [archive, `${title}.cdx.json`];
  const left: string[] = [];
  const notes: string[] = [];
  const runtimes = (Deno.env.get("DENORT_BIN") ?? "").split(":").filter(Boolean);
  if (runtimes.length === 0) notes.push("No program was packed: `DENORT_BIN` names no runtime.");
  else await installPackages(source);
  for (const runtime of runtimes) {
    const machine = await machineOf(runtime);
    const program = `${title}-${machine}`;
    await pack(source, runtime, machine, `${folder}/${program}`);
    const problem = await startProblem(`${folder}/${program}`, machine, version);
    (problem === null ? files : left).push(program);
    if (problem !== null) notes.push(`The program for ${machine} was left out: ${problem}.`);
  }
  return { files, left, notes };
}

/**
 * A packed program contains the time of each file, so those of the packages get that of the commit.
 */
async function installPackages(source: string): Promise<void> {
  await run(Deno.execPath(), ["install", "--frozen", "--quiet"], source);
  const seconds = (await git("log", "-1", "--format=%ct")).trim();
  const touch = ["-exec", "touch", "--no-dereference", `--date=@${seconds}`, "{}", "+"];
  await run("find", ["node_modules", ...touch], source);
}

async function machineOf(runtime: string): Promise<string> {
  const header = new Uint8Array(20);
  using file = await Deno.open(runtime);
  await file.read(header);
  const machine = MACHINES[new DataView(header.buffer).getUint16(18, true)];
  if (machine === undefined) throw new Error("DENORT_BIN names a file for another processor");
  return machine;
}

async function pack(source: string, runtime: string, machine: string, output: string) {
  const args = compileArguments(DATA_DIR, output);
  // Packing writes this file again, with the time of day.
  const fixed = ["--quiet", "--exclude", "node_modules/.deno/.setup-cache.bin"];
  const target = ["--target", `${machine}-unknown-linux-gnu`];
  await run(Deno.execPath(), ["compile", ...fixed, ...target, ...args.slice(1)], source, {
    DENORT_BIN: runtime,
  });
}

/** Why a program does not print its version, or null. */
async function startProblem(program: string, machine: string, version: string) {
  const words = machine === Deno.build.arch ? [program] : [`qemu-${machine}-static`, program];
  const [command = "", ...args] = [...words, "--version"];
  try {
    const { stdout } = await new Deno.Command(command, { args, stdin: "null" }).output();
    const text = new TextDecoder().decode(stdout);
    if (text.startsWith(`Personal Records Service ${version}, `)) return null;
    return "it does not start, as one packed around Deno's command line in place of its runtime";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "nothing here can start it";
    throw error;
  }
}

/** The files whose bytes differ between two folders. */
async function differences(first: string, second: string, files: readonly string[]) {
  const pairs = await Promise.all(files.map(async (file) => {
    const [one, other] = await Promise.all([first, second].map((at) => digestOf(`${at}/${file}`)));
    return one === other ? [] : [file];
  }));
  return pairs.flat();
}

async function describe(commit: string, { files, notes }: Built, differing: readonly string[]) {
  const { version } = JSON.parse(await Deno.readTextFile("deno.json"));
  const sizes = await Promise.all(files.map(async (file) => {
    const { size } = await Deno.stat(`${OUTPUT}/${file}`);
    return `- \`${file}\`: ${size} bytes`;
  }));
  const compared = differing.length === 0
    ? "Everything was built twice to the same bytes."
    : `Built twice, these files differ: ${differing.join(", ")}.`;
  return [
    `# Personal Records Service ${version}`,
    `Built from commit ${commit} with Deno ${Deno.version.deno}.`,
    [...sizes, "- `SHA256SUMS`: the digests; `sha256sum --check SHA256SUMS` compares them"].join(
      "\n",
    ),
    [
      `- ${compared}`,
      ...notes.map((note) => `- ${note}`),
      "- `.ci/run` tests the source, and `deno task release:check` the ways to run it.",
    ].join("\n"),
  ].join("\n\n") + "\n";
}

async function digestOf(path: string): Promise<string> {
  const bytes = await Deno.readFile(path);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

async function git(...args: string[]): Promise<string> {
  return await run("git", args, Deno.cwd());
}

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    cwd,
    env,
    stdin: "null",
  }).output();
  const [text = "", errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!success) throw new Error(`${command} ${args[0]}: ${errors}`);
  return text;
}
