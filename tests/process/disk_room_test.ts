// engines: embedded
/** A real disk that fills up. Ignored unless this user may mount a file system. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { openEmbedded } from "../../src/database/embedded.ts";
import { COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import { openOwner } from "../support/owner.ts";
import { configOf, startOwn } from "../support/own_service.ts";
import { type ServerProcess, startServer } from "../support/server_process.ts";
import { copyEmbeddedTemplate } from "../support/template.ts";
import { waitUntil } from "../support/wait.ts";
import { type Caller, callerOf, type Json } from "../support/world.ts";

const METRICS_TOKEN = "a-token-that-only-tests-know";
const MIB = 1024 ** 2;
/** Its reserve is 20 MiB. */
const DISK = 320 * MIB;

function run(command: string, ...args: string[]): boolean {
  try {
    return new Deno.Command(command, { args, stdout: "null", stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}

function mount(folder: string, size = DISK): boolean {
  return run("mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder);
}

function canMount(): boolean {
  const folder = Deno.makeTempDirSync();
  const isMounted = mount(folder);
  if (isMounted) run("umount", folder);
  Deno.removeSync(folder);
  return isMounted;
}

async function freeBytes(server: ServerProcess): Promise<number> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const { text } = await server.call("GET", "/metrics", { headers });
  return Number(/^data_dir_free_bytes (\d+)$/m.exec(text)?.[1]);
}

async function statusOfWrite(caller: Caller): Promise<number> {
  const body = { title: "A title", payload: COMMITMENT };
  return (await caller.call("POST", COMMITMENTS, { key: ulid(), body })).status;
}

Deno.test({
  name: "Writes stop before the disk is full, and resume when there is space",
  ignore: !canMount(),
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "prs-disk-" });
    assert(mount(folder));
    try {
      const dataDir = `${folder}/data`;
      copyEmbeddedTemplate(dataDir);
      const database = await openEmbedded(dataDir);
      const owner = await openOwner(database);
      await database.close();
      const env = { PORT: "0", DATA_DIR: dataDir, METRICS_TOKEN };
      await using server = await startServer(env);
      const caller = callerOf(server.app, owner);
      assertEquals(await statusOfWrite(caller), 201);
      const free = await freeBytes(server);
      assert(free > 20 * MIB && free < DISK, `${free} bytes are free`);
      assert(run("fallocate", "-l", String(free - 10 * MIB), `${folder}/other`));
      await waitUntil("writes are refused", async () => await statusOfWrite(caller) === 503);
      assertEquals((await caller.call("GET", COMMITMENTS)).body.data.items.length > 0, true);
      await Deno.remove(`${folder}/other`);
      await waitUntil("writes continue", async () => await statusOfWrite(caller) === 201);
      server.kill("SIGTERM");
      const { code, stdout } = await server.ended;
      const reasons = stdout.split("\n").filter((line) => line.includes('"unavailable"'))
        .map((line): Json => JSON.parse(line).reason);
      assertEquals([code, new Set(reasons)], [0, new Set(["the disk of DATA_DIR is nearly full"])]);
    } finally {
      run("umount", folder);
      await Deno.remove(folder);
    }
  },
});

Deno.test({
  name: "A start on a full disk names it, frees what it can, and serves reads",
  ignore: !canMount(),
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "prs-disk-" });
    assert(mount(folder, 300 * MIB));
    try {
      const dataDir = `${folder}/data`;
      copyEmbeddedTemplate(dataDir);
      const database = await openEmbedded(dataDir);
      const owner = await openOwner(database);
      await database.close();
      const service = await startOwn(configOf(dataDir));
      await service[Symbol.asyncDispose]();
      const spool = `${dataDir}/spool/${ulid()}`;
      await Deno.mkdir(spool);
      await Deno.writeFile(`${spool}/export`, new Uint8Array(MIB));
      const free = new Deno.Command("df", { args: ["--output=avail", "-B1", folder] });
      const [, bytes = ""] = new TextDecoder().decode((await free.output()).stdout).split("\n");
      assert(run("fallocate", "-l", bytes.trim(), `${folder}/other`));
      await using server = await startServer({ PORT: "0", DATA_DIR: dataDir });
      const caller = callerOf(server.app, owner);
      assertEquals((await caller.call("GET", COMMITMENTS)).status, 200);
      const left = await Deno.stat(spool).catch(() => null);
      assertEquals(left, null);
      server.kill("SIGTERM");
      const { stdout } = await server.ended;
      const named = stdout.split("\n").filter((line) => line.includes('"disk_full"'))
        .map((line): Json => JSON.parse(line).folder);
      assertEquals(named, [dataDir]);
    } finally {
      run("umount", folder);
      await Deno.remove(folder);
    }
  },
});
