/** PgBouncer between service and PostgreSQL. Ignored without PgBouncer. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import postgres from "postgres";
import { settingsOf } from "../../../src/database/connect.ts";
import { createInstallation, type Installation } from "../../support/installation.ts";
import { failStart, startServer } from "../../support/server_process.ts";
import { freePort, isListening } from "../../support/ports.ts";
import { waitUntil } from "../../support/wait.ts";
import { callerOf, ENGINE } from "../../support/world.ts";

const PGBOUNCER = [...(Deno.env.get("PATH") ?? "").split(":"), "/usr/sbin"]
  .map((folder) => `${folder}/pgbouncer`)
  .find(exists);

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** PgBouncer's option for unsupported session settings. */
const IGNORING = {
  ignore_startup_parameters: [...Object.keys(settingsOf("reading", {})), "synchronous_commit"]
    .join(),
};

/** A running PgBouncer, with settings for a service. */
interface Pooler extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
}

async function startPooler(
  place: Installation,
  settings: Readonly<Record<string, string>>,
): Promise<Pooler> {
  const url = new URL(place.env.DATABASE_URL ?? "");
  const folder = await Deno.makeTempDir({ prefix: "prs-pgbouncer-" });
  const port = freePort();
  const all = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    ...settings,
  };
  const lines = [
    "[databases]",
    `* = host=${url.hostname} port=${url.port} user=${url.username}`,
    "[pgbouncer]",
    ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
  ];
  await Deno.writeTextFile(`${folder}/pgbouncer.ini`, `${lines.join("\n")}\n`);
  await Deno.chmod(folder, 0o755);
  // It refuses to run as root.
  const asUser = Deno.uid() === 0 ? ["runuser", "-u", "postgres", "--"] : [];
  const [program = "", ...args] = [...asUser, PGBOUNCER ?? "", `${folder}/pgbouncer.ini`];
  const child = new Deno.Command(program, { args, stdin: "null", stdout: "null", stderr: "null" })
    .spawn();
  await waitUntil("PgBouncer listens", () => isListening(port));
  url.port = String(port);
  return {
    env: { ...place.env, DATABASE_URL: url.href },
    async [Symbol.asyncDispose]() {
      // Ends even with connected clients.
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function poolerTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, ignore: PGBOUNCER === undefined || ENGINE !== "postgres" });
}

const SHARING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "in transaction mode": { pool_mode: "transaction" },
  "in transaction mode, its sessions in turns": {
    pool_mode: "transaction",
    server_round_robin: "1",
    ...IGNORING,
  },
};
for (const [how, settings] of Object.entries(SHARING)) {
  poolerTest(`Start rejects PgBouncer ${how}, and changes no session`, async () => {
    await using place = await createInstallation();
    await using pooler = await startPooler(place, settings);
    const ended = await failStart(pooler.env);
    assertEquals(ended.code, 1, ended.stderr);
    assertStringIncludes(ended.stderr, "A pooler must be in session mode");
    const { host } = new URL(pooler.env.DATABASE_URL ?? "");
    assertEquals(`${ended.stdout}${ended.stderr}`.includes(host), false);
    const others = postgres(pooler.env.DATABASE_URL ?? "", { max: 1, prepare: false });
    const [row] =
      await others`select current_setting('default_transaction_read_only') as read_only`;
    await others.end();
    assertEquals(row?.read_only, "off");
  });
}

const KEEPING = {
  "in session mode, ignoring what it does not know": { pool_mode: "session", ...IGNORING },
};
for (const [how, settings] of Object.entries(KEEPING)) {
  poolerTest(`Service works through PgBouncer ${how}`, async () => {
    await using place = await createInstallation();
    await using pooler = await startPooler(place, settings);
    const settled = await place.settle();
    await using service = await startServer(pooler.env);
    const owner = callerOf(service.app, settled);
    const content = { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" };
    const records = await Promise.all(
      Array.from({ length: 20 }, () => owner.create("commitment", content)),
    );
    const read = await Promise.all(
      records.map(({ recordId }) => owner.call("GET", `/api/v2/records/commitment/${recordId}`)),
    );
    assertEquals(read.map(({ body }) => body.data.recordId), records.map((each) => each.recordId));
  });
}
