/**
 * The closed loops of a load. They write and read the bytes of HTTP by themselves: a client library
 * would cost more than the service that is measured, on the same cores.
 */

import { answerLength, type Head, readHead } from "./http_response.ts";
import { writeAll } from "../../src/core/files.ts";
import type { LoadJob, LoadResult, RequestTemplate } from "./load.ts";
import { Durations, percentile } from "./statistics.ts";

const SERIAL_DIGITS = 12;
let serial = 0;

const encoder = new TextEncoder();

/** What all connections of a load share. */
interface Load {
  readonly template: RequestTemplate;
  readonly writeRequest: () => Uint8Array;
  /** Moments of `performance.now()`. */
  readonly begin: number;
  readonly end: number;
  /** How many more requests may begin. */
  left: number;
  readonly durations: Durations;
  errors: number;
  firstError: string | null;
}

/**
 * Runs a load.
 *
 * @throws Error when a connection cannot be made or is lost.
 */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const { port, connections, template, warmUpSeconds = 0, seconds, requests } = job;
  const sockets = await Promise.all(
    Array.from({ length: connections }, () => Deno.connect({ hostname: "127.0.0.1", port })),
  );
  const begin = performance.now() + warmUpSeconds * 1000;
  const load: Load = {
    template,
    writeRequest: requestWriter(template),
    begin,
    end: begin + (seconds ?? Infinity) * 1000,
    left: requests ?? Infinity,
    durations: new Durations(),
    errors: 0,
    firstError: null,
  };
  try {
    await Promise.all(sockets.map((socket) => repeat(load, socket)));
  } finally {
    for (const socket of sockets) socket.close();
  }
  return resultOf(load, (performance.now() - begin) / 1000);
}

function resultOf({ durations, errors, firstError }: Load, seconds: number): LoadResult {
  const sorted = durations.sorted();
  return {
    requests: durations.count,
    errors,
    firstError,
    seconds,
    rate: durations.count / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
  };
}

/** One connection's closed loop. */
async function repeat(load: Load, socket: Deno.TcpConn): Promise<void> {
  socket.setNoDelay(true);
  const answers = new AnswerReader(socket);
  while (load.left > 0) {
    const begun = performance.now();
    if (begun >= load.end) return;
    load.left--;
    await writeAll(socket, load.writeRequest());
    const head = await answers.next();
    // What the warm-up gets wrong is wrong all the same.
    if (!isExpected(head, load.template)) {
      load.errors++;
      load.firstError ??= answers.lastText().slice(0, 2_000);
    }
    if (begun >= load.begin) load.durations.add(performance.now() - begun);
  }
}

function isExpected(head: Head, { status, head: expected }: RequestTemplate): boolean {
  return head.status === status && (expected === undefined || head.text.includes(expected));
}

/** Reads one answer after another from a connection. */
class AnswerReader {
  readonly #socket: Deno.TcpConn;
  #buffer = new Uint8Array(65_536);
  #length = 0;

  constructor(socket: Deno.TcpConn) {
    this.#socket = socket;
  }

  /** @throws Error when the connection ends first. */
  async next(): Promise<Head> {
    this.#length = 0;
    let head: Head | null = null;
    while (true) {
      if (this.#length === this.#buffer.length) this.#grow();
      const count = await this.#socket.read(this.#buffer.subarray(this.#length));
      if (count === null) throw new Error("The server closed a connection");
      this.#length += count;
      const bytes = this.#buffer.subarray(0, this.#length);
      head ??= readHead(bytes);
      if (head !== null && answerLength(bytes, head) !== null) return head;
    }
  }

  lastText(): string {
    return new TextDecoder().decode(this.#buffer.subarray(0, this.#length));
  }

  #grow(): void {
    const longer = new Uint8Array(2 * this.#buffer.length);
    longer.set(this.#buffer);
    this.#buffer = longer;
  }
}

/** Makes a function that writes the next request; what it returns is overwritten by the next. */
function requestWriter(template: RequestTemplate): () => Uint8Array {
  const parts = textOf(template).split(/(\{value\}|\{serial\})/);
  const values = template.values ?? [];
  const buffer = new Uint8Array(65_536);
  return () => {
    const number = String(serial++).padStart(SERIAL_DIGITS, "0");
    const value = values[Math.floor(Math.random() * values.length)];
    let text = "";
    for (const part of parts) {
      if (part === "{serial}") text += number;
      else if (part === "{value}") text += value;
      else text += part;
    }
    return buffer.subarray(0, encoder.encodeInto(text, buffer).written);
  };
}

function textOf({ method, path, headers = {}, body }: RequestTemplate): string {
  const lines = [`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1"];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) {
    const written = body.replaceAll("{serial}", "0".repeat(SERIAL_DIGITS));
    lines.push(
      "Content-Type: application/json",
      `Content-Length: ${encoder.encode(written).length}`,
    );
  }
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}
