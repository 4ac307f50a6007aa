/**
 * A client that opens more connections than the process may open files. Ignored without `prlimit`.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import { type ServerProcess, startServer } from "../support/server_process.ts";
import { waitUntil } from "../support/wait.ts";
import type { Json } from "../support/world.ts";

const METRICS_TOKEN = "a-token-that-only-tests-know";
const PRLIMIT = "/usr/bin/prlimit";
const isMissing = !exists(PRLIMIT);
/** Files that the process may still open. */
const ROOM = 40;

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** Open files stay open. */
async function limitFiles({ pid }: ServerProcess, most: number): Promise<void> {
  const args = ["--pid", String(pid), `--nofile=${most}:`];
  const { success } = await new Deno.Command(PRLIMIT, { args }).output();
  assert(success);
}

/** Uses another program, because Deno cannot read its own `/proc`. */
async function openFiles({ pid }: ServerProcess): Promise<number> {
  const { stdout } = await new Deno.Command("ls", { args: [`/proc/${pid}/fd`] }).output();
  return new TextDecoder().decode(stdout).trim().split("\n").length;
}

function connect({ port }: ServerProcess): Promise<Deno.TcpConn> {
  return Deno.connect({ hostname: "127.0.0.1", port });
}

async function send(connection: Deno.TcpConn, text: string): Promise<void> {
  await connection.write(new TextEncoder().encode(text));
}

/** Failures of listening; null without an answer. */
async function failuresOf(server: ServerProcess): Promise<number | null> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}`, Connection: "close" };
  try {
    const { text } = await server.call("GET", "/metrics", { headers });
    return Number(/^listener_failures_total (\d+)$/m.exec(text)?.[1]);
  } catch {
    return null;
  }
}

function failureLines(stdout: string): Json[] {
  const lines = stdout.split("\n").filter((line) => line.includes('"listener_failed"'));
  return lines.map((line) => JSON.parse(line));
}

Deno.test({
  name: "A process that runs out of file descriptors finishes its requests and listens again",
  ignore: isMissing,
  async fn() {
    await using place = await createInstallation();
    await using server = await startServer({ ...place.env, METRICS_TOKEN });
    const caller = await server.setUp();
    using running = await connect(server);
    const body = JSON.stringify({ email: "nobody@example.org", password: "not the password" });
    await send(
      running,
      "POST /api/v2/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await limitFiles(server, await openFiles(server) + ROOM);
    const halves: Deno.TcpConn[] = [];
    for (let count = 0; count < 2 * ROOM; count++) {
      const half = await connect(server).catch(() => null);
      if (half === null) break;
      halves.push(half);
      await send(half, "GET /healthz HTTP/1.1\r\nHo").catch(() => {});
    }
    await send(running, body.slice(5));
    const response = await running.readable.values().next();
    assertMatch(new TextDecoder().decode(response.value), /^HTTP\/1\.1 401 /);
    // The half heads are closed for lack of files, not by their client.
    await waitUntil("it listens again", async () => await failuresOf(server) !== null);
    assert(await failuresOf(server) ?? 0 >= 1);
    assertEquals((await caller.call("GET", "/api/v2/records/commitment")).status, 200);
    for (const half of halves) half.close();
    server.kill("SIGTERM");
    const { code, stdout } = await server.ended;
    assertEquals(code, 0);
    const lines = failureLines(stdout)
      .map(({ level, osError, reason }) => ({ level, osError, reason }));
    const reason = "the process has too many open files";
    assertEquals(lines, [{ level: "error", osError: 24, reason }]);
  },
});

Deno.test({
  name: "A process whose port is taken retries, and SIGTERM ends it with 0",
  ignore: isMissing,
  async fn() {
    await using place = await createInstallation();
    await using server = await startServer({ ...place.env, METRICS_TOKEN });
    const before = await openFiles(server);
    const goDeaf = async () => {
      await limitFiles(server, 1);
      // The first connection makes accepting fail; the listener's end may reset it.
      const isDeaf = () => connect(server).then((open) => (open.close(), false), () => true);
      await waitUntil("it listens no more", isDeaf);
    };
    await goDeaf();
    await limitFiles(server, before + ROOM);
    await waitUntil("it listens again", async () => await failuresOf(server) !== null);

    await goDeaf();
    using _taken = Deno.listen({ hostname: "127.0.0.1", port: server.port });
    await limitFiles(server, before + ROOM);
    server.kill("SIGTERM");
    const { code, stdout } = await server.ended;
    assertEquals(code, 0);
    assertEquals(failureLines(stdout).length, 1);
  },
});
