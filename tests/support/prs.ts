/**
 * The command `prs` as a process, before an application that a test can put something in front of.
 */

import type { AppServices } from "../../src/app.ts";
import { register } from "../http/access.ts";
import { Output, PROJECT } from "./server_process.ts";
import { createWorld, type Json, type World } from "./world.ts";

/** How a command ended. */
export interface PrsEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Each line of standard output, parsed. */
  readonly lines: readonly Json[];
}

/** The options of a run. */
export interface PrsOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of Deno for the files and programs that the words name. */
  readonly flags?: readonly string[];
}

/** A home with the command's two folders. */
export interface PrsHome {
  readonly home: string;
  readonly config: string;
  readonly state: string;
  run(words: readonly string[], options?: PrsOptions): Promise<PrsEnd>;
  spawn(words: readonly string[], options?: PrsOptions): Deno.ChildProcess;
  /** The names in a folder of the state, sorted. */
  names(folder: "waiting" | "refused" | "edit"): Promise<string[]>;
}

/** The same before a service. */
export interface PrsPlace extends PrsHome, AsyncDisposable {
  readonly world: World;
  readonly origin: string;
  readonly email: string;
  readonly password: string;
  /** Answers instead of the application while it is set. */
  instead: ((request: Request) => Response | Promise<Response> | null) | null;
  /** Signs in. */
  login(...words: readonly string[]): Promise<PrsEnd>;
}

/** The cache of this process: an empty one in each home would compile every module again. */
const DENO_DIR = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;

/** The command in a home, which may reach one port of this machine. */
export function prsIn(home: string, port: number): PrsHome {
  const state = `${home}/.local/state/prs`;
  const spawn: PrsHome["spawn"] = (words, { env = {}, flags = [] } = {}) =>
    new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-config",
        "--no-prompt",
        `--allow-net=127.0.0.1:${port}`,
        "--allow-env=HOME,XDG_CONFIG_HOME,XDG_STATE_HOME,VISUAL,EDITOR",
        `--allow-read=${home}`,
        `--allow-write=${home}`,
        "--allow-sys=hostname",
        ...flags,
        `${PROJECT}/src/prs/main.ts`,
        ...words,
      ],
      cwd: home,
      clearEnv: true,
      env: { HOME: home, DENO_DIR, PATH: Deno.env.get("PATH") ?? "", NO_COLOR: "1", ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  return {
    home,
    state,
    spawn,
    config: `${home}/.config/prs`,
    async run(words, options = {}) {
      const child = spawn(words, options);
      const [out, error] = [new Output(child.stdout), new Output(child.stderr)];
      const writer = child.stdin.getWriter();
      // A command that does not read its input may have ended.
      await writer.write(new TextEncoder().encode(options.stdin ?? "")).catch(() => {});
      await writer.close().catch(() => {});
      const [{ code }] = await Promise.all([child.status, out.ended, error.ended]);
      return {
        code,
        stdout: out.text,
        stderr: error.text,
        get lines() {
          return out.text.trimEnd().split("\n").map((line) => JSON.parse(line));
        },
      };
    },
    async names(folder) {
      const entries = await Array.fromAsync(Deno.readDir(`${state}/${folder}`)).catch(() => []);
      return entries.map(({ name }) => name).sort();
    },
  };
}

/** Opens a world, with the clock of this machine unless given, an account, and an empty home. */
export async function openPrs(
  services: Partial<AppServices> = { clock: () => new Date() },
): Promise<PrsPlace> {
  const world = await createWorld(services);
  const { email, password } = await register(world);
  const home = await Deno.makeTempDir({ prefix: "prs-home-" });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const answer = place.instead?.(request) ?? null;
    return answer ?? world.app.fetch(request);
  });
  const { port } = server.addr;
  const origin = `http://127.0.0.1:${port}`;
  const place: PrsPlace = {
    ...prsIn(home, port),
    world,
    origin,
    email,
    password,
    instead: null,
    login: (...words) =>
      place.run(["login", origin, "--email", email, ...words], { stdin: `${password}\n` }),
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await world[Symbol.asyncDispose]();
      await Deno.remove(home, { recursive: true });
    },
  };
  return place;
}
