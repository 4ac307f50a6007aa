/** The command `prs fetch monica` in this process, before a stand-in of Monica's API. */

import { fetchMonica } from "../../src/prs/fetch/monica.ts";
import { readInput } from "../../src/prs/options.ts";
import { COMMANDS } from "../../src/prs/prs.ts";
import { showFailure } from "../../src/prs/show_failure.ts";
import { type Fault, MonicaServer } from "./monica_server.ts";

/** Part of the token, and of nothing else. */
export const MARKER = "marker-of-the-token";
/** As long as a real one. */
export const TOKEN = `eyJ0.${MARKER.repeat(40)}.x-_`;

/** How a run ended. */
interface FetchEnd {
  readonly code: number;
  readonly out: string;
  readonly error: string;
  /** In seconds. */
  readonly pauses: readonly number[];
}

interface RunOptions {
  readonly fault?: Fault;
  /** By default a new one. */
  readonly folder?: string;
  readonly words?: readonly string[];
  /** An error that it throws ends the command, as a kill does. */
  readonly pause?: () => void;
}

/** A server, a file with the token, and folders of results. */
export class MonicaPlace implements AsyncDisposable {
  readonly server = new MonicaServer();
  readonly home = Deno.makeTempDirSync({ prefix: "prs-fetch-" });
  readonly token = `${this.home}/token`;
  #folders = 0;

  constructor() {
    Deno.writeTextFileSync(this.token, `${TOKEN}\nnot this line\n`, { mode: 0o600 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await Deno.remove(this.home, { recursive: true });
  }

  newFolder(): string {
    return `${this.home}/out-${++this.#folders}`;
  }

  /** Runs the command once; returns also its folder and its file, which is empty if missing. */
  async run({ fault, folder = this.newFolder(), words = [], pause }: RunOptions = {}): Promise<
    FetchEnd & { readonly folder: string; readonly file: string }
  > {
    this.server.fault = fault ?? (() => null);
    this.server.requests.length = 0;
    const from = `${this.server.origin}/api/`;
    const all = ["--from", from, "--token-file", this.token, "--out", folder, ...words];
    const end = await runFetch(all, pause);
    const file = await Deno.readTextFile(`${folder}/monica-4.json`).catch(() => "");
    return { ...end, folder, file };
  }
}

/** Runs the command; pauses take no time. */
export async function runFetch(
  words: readonly string[],
  pause: () => void = () => {},
): Promise<FetchEnd> {
  const streams = [Deno.stdout, Deno.stderr] as const;
  const originals = streams.map((stream) => stream.writeSync);
  const texts = ["", ""];
  const pauses: number[] = [];
  for (const [index, stream] of streams.entries()) {
    const writeSync = (bytes: Uint8Array) => {
      texts[index] += new TextDecoder().decode(bytes);
      return bytes.length;
    };
    Object.assign(stream, { writeSync });
  }
  let code = 0;
  try {
    const input = readInput(["fetch", "monica", ...words], COMMANDS);
    await fetchMonica(input, (milliseconds) => {
      pauses.push(milliseconds / 1000);
      pause();
      return Promise.resolve();
    });
  } catch (error) {
    code = showFailure({ isJson: false }, error);
  } finally {
    for (const [index, stream] of streams.entries()) {
      Object.assign(stream, { writeSync: originals[index] });
    }
  }
  return { code, out: texts[0] ?? "", error: texts[1] ?? "", pauses };
}
