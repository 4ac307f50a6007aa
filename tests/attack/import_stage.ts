/** Sends a hostile file to a service, and measures its memory and the waits of another account. */

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { IMPORTS } from "../http/imports.ts";
import type { ServerProcess } from "../support/server_process.ts";
import type { Caller, Json } from "../support/world.ts";
import type { JsonValue } from "../../src/core/json.ts";
import type { ImportAttack } from "./import_files.ts";

const CHUNK_BYTES = 64 * 1024;
const POLL_MS = 50;
const PROBE_MS = 20;
/** A service that has not ended with a file after this time never will. */
const DEADLINE_MS = Number(Deno.env.get("IMPORT_DEADLINE") ?? 600) * 1000;

export interface ImportMeasures {
  /** Null if the upload was refused. */
  readonly state: string | null;
  readonly rule: string | null;
  /** Peak of the resident memory above that before the upload, in MiB. */
  readonly growth: number;
  readonly seconds: number;
  /** 99th percentile and longest of another account's reads, in milliseconds. */
  readonly waits: readonly [number, number];
}

/** Sends a file of about `bytes` bytes, and waits until the service has ended with it. */
export async function attackWith(
  server: ServerProcess,
  aggressor: Caller,
  other: Caller,
  attack: ImportAttack,
  bytes: number,
): Promise<ImportMeasures> {
  // Made before anything is measured, because this process also measures the waits.
  const pieces = chunksOf(Buffer.concat([...attack.file(bytes)]));
  const before = await residentMemory(server.pid);
  await resetPeak(server.pid);
  const begun = performance.now();
  const probe = new Probe(other);
  const ended = await endOf(server, aggressor, attack, pieces);
  const waits = await probe.end();
  const growth = await peakMemory(server.pid) - before;
  return { ...ended, growth, waits, seconds: (performance.now() - begun) / 1000 };
}

function chunksOf(bytes: Uint8Array): Uint8Array[] {
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  return Array.from(
    { length: count },
    (_, index) => bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
  );
}

async function endOf(
  server: ServerProcess,
  aggressor: Caller,
  { format, mapping }: Pick<ImportAttack, "format" | "mapping">,
  pieces: readonly Uint8Array[],
): Promise<Pick<ImportMeasures, "state" | "rule">> {
  const response = await fetch(
    `http://127.0.0.1:${server.port}${IMPORTS}?format=${format}&name=attack&keepOriginal=false`,
    {
      method: "POST",
      headers: {
        Authorization: `Bearer ${aggressor.secret}`,
        "Content-Type": "application/octet-stream",
      },
      body: ReadableStream.from(pieces) as ReadableStream<Uint8Array>,
    },
  );
  const { data, error }: Json = await response.json();
  if (error !== undefined) return { state: null, rule: error.details?.rules?.[0] ?? error.code };
  const { importId } = data;
  let row = await rest(aggressor, importId);
  if (row.state === "PLANNED" && mapping !== undefined) {
    const path = `${IMPORTS}/${importId}/mapping`;
    const mapped = await aggressor.call("PUT", path, { body: mapping as JsonValue });
    assertEquals(mapped.status, 200, mapped.text);
    row = await rest(aggressor, importId);
  }
  if (row.state === "PLANNED") {
    await aggressor.call("POST", `${IMPORTS}/${importId}/discard`, { key: importId, body: {} });
  }
  return { state: row.state, rule: row.refusal?.rule ?? null };
}

async function rest(caller: Caller, importId: string): Promise<Json> {
  const deadline = Date.now() + DEADLINE_MS;
  while (Date.now() < deadline) {
    const { body } = await caller.call("GET", `${IMPORTS}/${importId}`);
    if (!["RECEIVED", "READING"].includes(body.data.state)) return body.data;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return { state: "READING" };
}

/** Reads as another account, again and again. */
class Probe {
  readonly #waits: number[] = [];
  readonly #done: Promise<void>;
  #isRunning = true;

  constructor(caller: Caller) {
    this.#done = this.#run(caller);
  }

  async #run(caller: Caller): Promise<void> {
    while (this.#isRunning) {
      const begun = performance.now();
      await caller.call("GET", "/api/v2/memory/texts?limit=1");
      this.#waits.push(performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
    }
  }

  async end(): Promise<[number, number]> {
    this.#isRunning = false;
    await this.#done;
    const sorted = this.#waits.toSorted((one, other) => one - other);
    return [sorted[Math.floor(sorted.length * 0.99)] ?? 0, sorted.at(-1) ?? 0];
  }
}

async function statusOf(pid: number, name: string): Promise<number> {
  // Deno reads /proc only with all permissions.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).output();
  const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(
    new TextDecoder().decode(stdout),
  ) ?? [];
  return Number(kibibytes) / 1024;
}

function residentMemory(pid: number): Promise<number> {
  return statusOf(pid, "VmRSS");
}

function peakMemory(pid: number): Promise<number> {
  return statusOf(pid, "VmHWM");
}

/** Makes the present memory the peak. */
async function resetPeak(pid: number): Promise<void> {
  await new Deno.Command("sh", { args: ["-c", `echo 5 > /proc/${pid}/clear_refs`] }).output();
}
