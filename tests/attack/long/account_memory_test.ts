// engines: both
/**
 * An account of 100,000 records with 1 GiB of attachments is imported and exported to the byte with
 * little memory.
 */

import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { ulid } from "@std/ulid";
import { ACCOUNT_EXPORTS, ACCOUNT_IMPORTS } from "../../http/account.ts";
import { generatedAccount } from "../../support/generated_account.ts";
import { createInstallation } from "../../support/installation.ts";
import { startServer } from "../../support/server_process.ts";
import type { Caller } from "../../support/world.ts";

const SEED = 20_261_122;
const MAX_GROWTH_MIB = 200;
const LIFE = {
  records: Number(Deno.env.get("LIFE_RECORDS") ?? 100_000),
  attachments: Number(Deno.env.get("LIFE_ATTACHMENTS") ?? 128),
  attachmentBytes: 8 * 1024 * 1024,
};

/** Peak private memory of a process, in MiB. */
async function peakDuring<T>(pid: number, act: () => Promise<T>): Promise<[T, number]> {
  let [peak, isDone] = [0, false];
  const watching = (async () => {
    while (!isDone) {
      peak = Math.max(peak, await ownMemory(pid));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  try {
    return [await act(), peak];
  } finally {
    isDone = true;
    await watching;
  }
}

async function ownMemory(pid: number): Promise<number> {
  // Deno reads /proc only with all permissions.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).output();
  const [, kibibytes] = /^RssAnon:\s+(\d+) kB$/m.exec(new TextDecoder().decode(stdout)) ?? [];
  return Number(kibibytes) / 1024;
}

/** Counts and hashes a stream. */
class Passage {
  size = 0;
  readonly #hash = createHash("sha256");

  async *through(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      this.#hash.update(chunk);
      this.size += chunk.length;
      yield chunk;
    }
  }

  end(): { readonly sha256: string; readonly size: number } {
    return { sha256: this.#hash.digest("hex"), size: this.size };
  }
}

/** A password check takes far more memory than anything else here. */
async function proveForExport(caller: Caller): Promise<Record<string, string>> {
  const step = await caller.call("POST", "/api/v2/auth/step-up", {
    body: { password: "a password that only tests know", purpose: "ACCOUNT_EXPORT" },
  });
  return { "Step-Up-Proof": step.body.data.proof };
}

Deno.test({
  name: "Import and export of a large account use little memory",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using installation = await createInstallation();
    await using server = await startServer(installation.env);
    const caller = await server.setUp();
    const headers = { Authorization: `Bearer ${caller.secret}` };
    const address = (path: string) => `http://127.0.0.1:${server.port}${path}`;
    const idle = await ownMemory(server.pid);

    const sent = new Passage();
    const [imported, whileImporting] = await peakDuring(server.pid, async () => {
      const response = await fetch(address(ACCOUNT_IMPORTS), {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/jsonl" },
        body: ReadableStream.from(sent.through(generatedAccount(SEED, LIFE))),
      });
      return await response.json();
    });
    const expected = sent.end();
    assertEquals(imported.data?.sha256, expected.sha256, JSON.stringify(imported.error));
    assertEquals(imported.data.counts.record, LIFE.records);

    const proof = await proveForExport(caller);
    const [made, whileExporting] = await peakDuring(
      server.pid,
      () => caller.call("POST", ACCOUNT_EXPORTS, { body: {}, key: ulid(), headers: proof }),
    );
    assertEquals(made.status, 201, made.text);
    const received = new Passage();
    const [, whileSending] = await peakDuring(server.pid, async () => {
      const path = `${ACCOUNT_EXPORTS}/${made.body.data.exportId}/content`;
      const { body } = await fetch(address(path), { headers });
      for await (const _ of received.through(body ?? ReadableStream.from([])));
    });
    assertEquals(received.end(), expected);
    const grown = [whileImporting, whileExporting, whileSending]
      .map((peak) => Math.round(peak - idle));
    const told = `${grown.join(", ")} MiB above the ${Math.round(idle)} of an idle service`;
    assert(Math.max(...grown) < MAX_GROWTH_MIB, told);
  },
});
