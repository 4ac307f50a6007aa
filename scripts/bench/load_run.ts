/**
 * Writes and reads HTTP bytes itself: a client library would cost more than the measured service on
 * the same cores.
 */

import { answerLength, type Head, readHead } from "./http_response.ts";
import { writeAll } from "../../src/core/files.ts";
import type { LoadJob, LoadResult, RequestTemplate } from "./load.ts";
import { Durations, percentile } from "./statistics.ts";

const SERIAL_DIGITS = 12;
const BUFFER_BYTES = 65_536;
let serial = 0;

const encoder = new TextEncoder();

/** Shared by all connections. */
interface Load {
  readonly template: RequestTemplate;
  readonly write: () => Uint8Array;
  /** Requests that may still begin. */
  left: number;
  /** By `performance.now()`. */
  readonly begin: number;
  readonly end: number;
  readonly durations: Durations;
  errors: number;
  firstError: string | null;
}

/** @throws if a connection fails. */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const { port, connections, template, warmUpSeconds = 0, seconds = Infinity } = job;
  const sockets = await Promise.all(
    Array.from({ length: connections }, () => Deno.connect({ hostname: "127.0.0.1", port })),
  );
  const begin = performance.now() + warmUpSeconds * 1000;
  const load: Load = {
    template,
    write: requestWriter(template),
    left: job.requests ?? Infinity,
    begin,
    end: begin + seconds * 1000,
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

async function repeat(load: Load, socket: Deno.TcpConn): Promise<void> {
  socket.setNoDelay(true);
  const answers = new AnswerReader(socket);
  while (true) {
    const begun = performance.now();
    if (begun >= load.end || load.left-- <= 0) return;
    await writeAll(socket, load.write());
    const head = await answers.next();
    // Errors during the warm-up count.
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

class AnswerReader {
  readonly #socket: Deno.TcpConn;
  #buffer = new Uint8Array(65_536);
  #length = 0;

  constructor(socket: Deno.TcpConn) {
    this.#socket = socket;
  }

  /** @throws if the connection ends first. */
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

/** Reuses its buffer. */
function requestWriter(template: RequestTemplate): () => Uint8Array {
  const parts = textOf(template).split(/(\{value\}|\{serial\})/);
  const values = template.values ?? [];
  const shared = new Uint8Array(BUFFER_BYTES);
  return () => {
    const number = String(serial++).padStart(SERIAL_DIGITS, "0");
    const value = values[Math.floor(Math.random() * values.length)];
    const text = parts.map((part) => {
      if (part === "{serial}") return number;
      return part === "{value}" ? value : part;
    }).join("");
    return shared.subarray(0, encoder.encodeInto(text, shared).written);
  };
}

function textOf({ method, path, headers = {}, body, values = [] }: RequestTemplate): string {
  const lines = [`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1"];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) {
    const [value = ""] = values;
    const written = body.replaceAll("{serial}", "0".repeat(SERIAL_DIGITS))
      .replaceAll("{value}", value);
    lines.push("Content-Type: application/json");
    lines.push(`Content-Length: ${encoder.encode(written).length}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}
