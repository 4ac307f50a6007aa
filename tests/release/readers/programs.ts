/** Runs other programs that read our cards and calendars, each in a home of its own. */

import { assert } from "@std/assert";

export const PYTHON = "/usr/bin/python3";
export const HERE = new URL(".", import.meta.url).pathname;
/** The folder `node_modules` of npm's readers. */
export const PACKAGES = Deno.env.get("READER_PACKAGES");

interface RunOptions {
  readonly input?: string;
  readonly home?: string;
  /** The machine's time zone. */
  readonly zone?: string;
}

/** Returns the output. Fails if the program does, or takes more than five minutes. */
export async function run(
  program: string,
  args: readonly string[],
  { input = "", home, zone = "UTC" }: RunOptions = {},
): Promise<string> {
  const child = new Deno.Command(program, {
    args: [...args],
    env: { ...(home !== undefined && { HOME: home }), LC_ALL: "C.UTF-8", TZ: zone },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(300_000),
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert(success, `${program} ${args.join(" ")}: ${text(stderr)}`);
  return text(stdout);
}

/** Returns the version of a Debian package, or of an npm package `npm:NAME`; null without it. */
export async function versionOf(name: string): Promise<string | null> {
  try {
    if (name.startsWith("npm:")) {
      if (PACKAGES === undefined) return null;
      const path = `${PACKAGES}/${name.slice(4)}/package.json`;
      return JSON.parse(await Deno.readTextFile(path)).version;
    }
    const seen = await run("dpkg-query", ["-Wf", "${db:Status-Status} ${Version}", name]);
    return /^installed (.*)/.exec(seen)?.[1] ?? null;
  } catch {
    return null;
  }
}

const programs = new Map<string, Promise<string>>();

/** Compiles a C++ file of this folder with a library of KDE, once, and returns the program. */
export function compiled(file: string, library: "CalendarCore" | "Contacts"): Promise<string> {
  const program = programs.get(file) ?? compile(file, library);
  programs.set(file, program);
  return program;
}

async function compile(file: string, library: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "prs-readers-" });
  addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const program = `${folder}/program`;
  const qt = (await run("pkg-config", ["--cflags", "--libs", "Qt5Gui"])).trim().split(" ");
  const includes = ["", "/KCoreAddons", `/K${library}`].map((name) => `-I/usr/include/KF5${name}`);
  const args = ["-fPIC", "-o", program, `${HERE}${file}`, ...includes, ...qt, `-lKF5${library}`];
  await run("g++", args);
  return program;
}

/** Uses a temporary folder. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "prs-readers-" });
  try {
    return await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
