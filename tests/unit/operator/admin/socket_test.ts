import { assertEquals, assertRejects } from "@std/assert";
import type { AdminCommand } from "../../../../src/operator/admin/command.ts";
import { readLine } from "../../../../src/operator/admin/lines.ts";
import {
  type AdminSocket,
  callAdminSocket,
  type RunCommand,
  serveAdminSocket,
  type SocketLimits,
} from "../../../../src/operator/admin/socket.ts";
import { missingSecret } from "../../../../src/access/server_secret.ts";
import { createLog } from "../../../../src/core/log.ts";
import { IncompleteError, OperatorError } from "../../../../src/errors/operator_error.ts";
import { ServiceError } from "../../../../src/errors/service_error.ts";
import type { Json } from "../../../support/world.ts";

const NOT_VALID = { error: "The command is not valid" };
const LIST: AdminCommand = { command: "account list" };

/** For sockets; named by `scripts/test.ts`. */
const FOLDER = Deno.env.get("TEST_SOCKETS") ?? "";
const PATH = `${FOLDER}/admin.sock`;

Deno.test.beforeEach(() => Deno.mkdir(FOLDER));
Deno.test.afterEach(() => Deno.remove(FOLDER, { recursive: true }));

interface Serving extends AsyncDisposable {
  readonly socket: AdminSocket;
  readonly log: Json[];
}

/** Echoes the command's name by default. */
async function serve(
  run: RunCommand = ({ command }) => Promise.resolve([command]),
  limits?: SocketLimits,
): Promise<Serving> {
  const log: Json[] = [];
  const written = createLog("debug", (line) => log.push(JSON.parse(line)));
  const socket = await serveAdminSocket(PATH, run, written, limits);
  return { socket, log, [Symbol.asyncDispose]: () => socket.stop() };
}

/** Optionally ends sending. */
async function send(sent: string | Uint8Array, { end = true } = {}): Promise<Json> {
  using connection = await Deno.connect({ transport: "unix", path: PATH });
  const bytes = typeof sent === "string" ? new TextEncoder().encode(sent) : sent;
  const sending = sendAll(connection, bytes, end);
  const answer = await readLine(connection, 1000);
  await sending;
  return answer === null ? null : JSON.parse(new TextDecoder().decode(answer));
}

/** As a killed server leaves it. */
async function leaveStale(path: string): Promise<void> {
  const listener = Deno.listen({ transport: "unix", path: `${FOLDER}/bound` });
  // Closing removes the bound path if it exists.
  await Deno.rename(`${FOLDER}/bound`, path);
  listener.close();
}

async function sendAll(connection: Deno.UnixConn, bytes: Uint8Array, end: boolean): Promise<void> {
  try {
    let rest = bytes;
    while (rest.length > 0) rest = rest.subarray(await connection.write(rest));
    if (end) await connection.closeWrite();
  } catch {
    // Too long input is answered early.
  }
}

Deno.test("Socket answers a command with its lines, for its user only", async () => {
  await using serving = await serve();
  const { mode, isSocket } = await Deno.lstat(PATH);
  assertEquals([isSocket, (mode ?? 0) & 0o777], [true, 0o600]);
  assertEquals(await callAdminSocket(PATH, LIST), ["account list"]);
  assertEquals(serving.log.map(({ event, command }) => ({ event, command })), [
    { event: "admin_command", command: "account list" },
  ]);
  assertEquals(Array.from(Deno.readDirSync(FOLDER), ({ name }) => name), ["admin.sock"]);
});

Deno.test("Socket answers hostile lines with an error and continues", async () => {
  await using serving = await serve();
  const hostile: readonly (string | Uint8Array)[] = [
    "",
    "\n",
    "{",
    "null\n",
    "[]\n",
    "12\n",
    "{}\n",
    '{"command":"account list"',
    "GET / HTTP/1.1\n",
    '{"command":"nonsense"}\n',
    '{"command":"account list","email":1}\n',
    '{"command":"account list","command":"setup-link"}\n',
    '{"__proto__":{}}\n',
    "[".repeat(9_000),
    `${"[".repeat(9_000)}\n`,
    "x".repeat(1024 * 1024),
    `${"x".repeat(1024 * 1024)}\n`,
    new Uint8Array([0xff, 0xfe, 0x0a]),
    new Uint8Array([0, 0x0a]),
    "\u0000\n",
    '"\\ud800"\n',
  ];
  for (const line of hostile) {
    assertEquals(await send(line), NOT_VALID, JSON.stringify(line).slice(0, 60));
  }
  assertEquals(await callAdminSocket(PATH, LIST), ["account list"]);
  assertEquals(serving.log.map(({ event }) => event), ["admin_command"]);
});

Deno.test("Socket accepts a line of exactly its limit, and no longer one", async () => {
  const line = JSON.stringify(LIST);
  for (
    const [bytes, answer] of [[line.length, { lines: ["account list"] }], [
      line.length - 1,
      NOT_VALID,
    ]] as const
  ) {
    await using _serving = await serve(undefined, { bytes, milliseconds: 10_000 });
    assertEquals(await send(`${line}\n`), answer);
  }
});

Deno.test("Socket accepts a backup for 20 hybrid keys", async () => {
  const recipient = Array(20).fill(`age1pq1${"q".repeat(1952)}`).join();
  await using _serving = await serve((command) => Promise.resolve([JSON.stringify(command)]));
  const command = { command: "backup", recipient } as const;
  const [read = ""] = await callAdminSocket(PATH, command) ?? [];
  assertEquals(JSON.parse(read), command);
});

Deno.test("Socket reads only the first line of a connection", async () => {
  const asked: string[] = [];
  await using _serving = await serve(({ command }) => {
    asked.push(command);
    return Promise.resolve([command]);
  });
  const lines = `${JSON.stringify(LIST)}\n${JSON.stringify({ command: "setup-link" })}\n`;
  assertEquals(await send(lines), { lines: ["account list"] });
  assertEquals(asked, ["account list"]);
});

Deno.test("Socket ends a connection whose line does not arrive in time", async () => {
  await using _serving = await serve(undefined, { bytes: 100, milliseconds: 1 });
  for (const half of ["", '{"command":']) {
    assertEquals(await send(half, { end: false }), NOT_VALID);
  }
});

Deno.test("Socket serves many at once, and a silent one delays no other", async () => {
  await using _serving = await serve();
  using _silent = await Deno.connect({ transport: "unix", path: PATH });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => callAdminSocket(PATH, LIST)),
  );
  assertEquals(answers, Array(50).fill(["account list"]));
});

Deno.test("Socket sends long answers completely", async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `${index} ${"é".repeat(40)}`);
  await using _serving = await serve(() => Promise.resolve(lines));
  assertEquals(await callAdminSocket(PATH, LIST), lines);
});

Deno.test("Socket reports a command's progress, then its answer or error", async () => {
  const told: string[] = [];
  const next = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const listen = (text: string) => {
    told.push(text);
    next[told.length - 1]?.resolve();
  };
  const run: RunCommand = async (_command, report) => {
    report("first");
    await next[0]?.promise;
    report("second");
    await next[1]?.promise;
    return ["done"];
  };
  {
    await using _serving = await serve(run);
    assertEquals(await callAdminSocket(PATH, LIST, listen), ["done"]);
    assertEquals(told, ["first", "second"]);
  }
  await using _serving = await serve((_command, report) => {
    report("third");
    return Promise.reject(new OperatorError("No"));
  });
  await assertRejects(() => callAdminSocket(PATH, LIST, listen), OperatorError, "No");
  assertEquals(told.at(-1), "third");
});

Deno.test("Socket runs a command whose client disconnects or does not read", async () => {
  const [told, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using _serving = await serve(async (_command, report) => {
    // Far more than socket buffers.
    report("x".repeat(10_000_000));
    report("left out, because the first is still being written");
    told.resolve();
    await finished.promise;
    return ["done"];
  });
  const line = new TextEncoder().encode(`${JSON.stringify(LIST)}\n`);
  const gone = await Deno.connect({ transport: "unix", path: PATH });
  await gone.write(line);
  await told.promise;
  gone.close();
  finished.resolve();
  assertEquals(await callAdminSocket(PATH, LIST), ["done"]);
});

Deno.test("Socket returns the lines of an incomplete result as such", async () => {
  const lines = ["one attachment is lost", "  01K"];
  await using _serving = await serve(() => Promise.reject(new IncompleteError(lines)));
  const error = await assertRejects(() => callAdminSocket(PATH, LIST), IncompleteError);
  assertEquals(error.lines, lines);
});

Deno.test("Socket reports expected errors in fixed words, and nothing of others", async () => {
  const failures: readonly [Error, string][] = [
    [new OperatorError("No account has this email"), "No account has this email"],
    [missingSecret(), "server_secret is missing"],
    [new ServiceError("HTTP_429"), new ServiceError("HTTP_429").message],
    [new Error("hunter2"), "The command failed; see the service's log"],
  ];
  for (const [failure, words] of failures) {
    await using serving = await serve(() => Promise.reject(failure));
    await assertRejects(() => callAdminSocket(PATH, LIST), OperatorError, words);
    assertEquals(JSON.stringify(serving.log).includes("hunter2"), false);
  }
});

Deno.test("Without a socket, or with a stale one, no server listens", async () => {
  assertEquals(await callAdminSocket(PATH, LIST), null);
  await leaveStale(PATH);
  assertEquals((await Deno.lstat(PATH)).isSocket, true);
  assertEquals(await callAdminSocket(PATH, LIST), null);
});

Deno.test("Socket replaces one left by a killed server, also a half-made one", async () => {
  await leaveStale(PATH);
  await Deno.mkdir(`${FOLDER}/admin.new`);
  await leaveStale(`${FOLDER}/admin.new/s`);
  {
    await using _serving = await serve();
    assertEquals(await callAdminSocket(PATH, LIST), ["account list"]);
  }
  assertEquals([...Deno.readDirSync(FOLDER)], []);
});

Deno.test("Stop waits for a running command but not for a silent connection, and removes the socket", async () => {
  const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using serving = await serve(async () => {
    started.resolve();
    await finish.promise;
    return ["finished"];
  });
  using silent = await Deno.connect({ transport: "unix", path: PATH });
  const answer = callAdminSocket(PATH, LIST);
  await started.promise;
  let hasStopped = false;
  const stopped = serving.socket.stop().then(() => hasStopped = true);
  const heard = await silent.read(new Uint8Array(1));
  const hadStopped = hasStopped;
  finish.resolve();
  assertEquals([heard, hadStopped, await answer], [null, false, ["finished"]]);
  await stopped;
  await assertRejects(() => Deno.lstat(PATH), Deno.errors.NotFound);
  assertEquals(await callAdminSocket(PATH, LIST), null);
});

Deno.test("Caller gets an error if the server ends before its response", async () => {
  using listener = Deno.listen({ transport: "unix", path: PATH });
  const ending = listener.accept().then((connection) => connection.close());
  await assertRejects(
    () => callAdminSocket(PATH, LIST),
    OperatorError,
    "The service stopped before it responded: the command may have been executed",
  );
  await ending;
});
