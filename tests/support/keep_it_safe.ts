/** The commands of the page "Keep it safe", run as an operator types them. */

import { assert } from "@std/assert";
import { resolve } from "node:path";
import { chapter } from "./chapters.ts";
import { Output, ownEnvironment } from "./server_process.ts";

const PAGE = "scripts/deploy/KEEP_IT_SAFE.md";

export type Way = "With Deno" | "As one program" | "In a container";

/** The lines of a task's block, comments included; the second block of "Upgrade" goes back. */
export function commandsOf(task: string, way: Way, block = 0): string[] {
  // A comment in a block is not a heading.
  const [, rest = ""] = chapter(PAGE).split(`\n## ${task}\n`);
  const [text = ""] = rest.split("\n## ");
  const blocks = Array.from(
    text.matchAll(/^(With Deno|As one program|In a container)[^\n]*:\n\n```sh\n(.*?)^```$/gms),
    ([, named, block = ""]) => ({ named, lines: block.trimEnd().split("\n") }),
  ).filter(({ named }) => named === way);
  const { lines } = blocks[block] ?? { lines: [] };
  assert(lines.length > 0, `${task}, ${way}: no block ${block}`);
  return lines;
}

/** How the page runs the program as the service's user, before all tasks. */
export function programLines(): string {
  const [, lines = ""] = /^ {2}```sh\n(.*?)^ {2}```$/ms.exec(chapter(PAGE)) ?? [];
  assert(lines.includes("records() {"), lines);
  return lines;
}

export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Words of the page, and their replacements in a test. */
  readonly words: Readonly<Record<string, string>>;
  /** Lines that each command begins with. */
  readonly before?: string;
}

const STOPS = ["# Stop the service.", "sudo systemctl stop personal-records-service"];
/** The lines that start the service, and their replacements here. */
const STARTS: Readonly<Record<string, string>> = {
  "deno task start": "deno task start",
  "sudo systemctl start personal-records-service": "personal-records-service",
};

/** Types commands in one folder after the other. Disposal stops the service. */
export class Operator implements AsyncDisposable {
  #place: Place;
  #cwd: string;
  /** The name that the newest `backup` printed. */
  #file = "FILE";
  #service: { readonly child: Deno.ChildProcess; readonly stderr: Output } | null = null;

  constructor(place: Place) {
    this.#place = place;
    this.#cwd = place.cwd;
  }

  /** Runs the lines in order; returns the output of each. */
  async run(lines: readonly string[]): Promise<string[]> {
    const printed: string[] = [];
    for (const line of lines) printed.push(await this.#type(line));
    return printed;
  }

  /** The service's output on its terminal until it was ready. */
  async welcome(): Promise<string> {
    assert(this.#service !== null, "the service was not started");
    const { stderr } = this.#service;
    const ready = await stderr.until(/^Personal Records Service is ready at [^]*\n/m);
    assert(ready !== null, stderr.text);
    return stderr.text;
  }

  async #type(line: string): Promise<string> {
    if (STOPS.includes(line)) await this.stop();
    if (line.startsWith("#") || STOPS.includes(line)) return "";
    const { before = "" } = this.#place;
    let command = `${before}${line.replaceAll(/\bFILE\b/g, this.#file)}`;
    for (const [word, own] of Object.entries(this.#place.words)) {
      command = command.replaceAll(word, own);
    }
    const [, folder] = /^cd (.*)$/.exec(command) ?? [];
    if (folder !== undefined) {
      this.#cwd = resolve(this.#cwd, folder);
      return "";
    }
    const start = STARTS[line];
    if (start !== undefined) return await this.#start(start);
    const { success, stdout, stderr } = await this.#spawn(command).output();
    const [text, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    assert(success, `${command}: ${text}${errors}`);
    this.#file = /([^/\n]+\.prs-backup\.gz(?:\.age)?)\n/.exec(text ?? "")?.[1] ?? this.#file;
    return text ?? "";
  }

  #spawn(command: string): Deno.ChildProcess {
    return new Deno.Command("bash", {
      args: ["-c", command],
      cwd: this.#cwd,
      clearEnv: true,
      env: { ...ownEnvironment(), ...this.#place.env, NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  }

  async #start(command: string): Promise<string> {
    const child = this.#spawn(`exec setsid ${command}`);
    void child.stdout.pipeTo(new WritableStream());
    this.#service = { child, stderr: new Output(child.stderr) };
    return await this.welcome();
  }

  /** Stops the service as Ctrl+C does. */
  async stop(): Promise<void> {
    const service = this.#service;
    if (service === null) return;
    this.#service = null;
    await new Deno.Command("kill", { args: ["-INT", "--", `-${service.child.pid}`] }).output();
    await Promise.all([service.child.status, service.stderr.ended]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
