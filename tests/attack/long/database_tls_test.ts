/** Traffic between the service and PostgreSQL. Requires the openssl program. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Cluster, startCluster } from "../../../scripts/postgres_cluster.ts";
import { runAdmin } from "../../support/admin_process.ts";
import { runBackupTask } from "../../support/backup_process.ts";
import { createInstallation, type Installation } from "../../support/installation.ts";
import { makeSelfSigned, NEW_KEY, openssl } from "../../support/openssl.ts";
import { failStart, startServer } from "../../support/server_process.ts";
import { ENGINE } from "../../support/world.ts";
import { refusalOf } from "./starts.ts";

const SERVER_SECRET = "a server secret that only tests know";
const SSL_REQUEST = [0, 0, 0, 8, 4, 210, 22, 47];
const REFUSED = /^The certificate of PostgreSQL cannot be verified \([A-Z_]+\)$/;

async function makeCertificate(folder: string, authority: string, host: string): Promise<void> {
  const request = ["-keyout", "server.key", "-out", "server.csr", "-subj", `/CN=${host}`];
  await openssl(folder, "req", ...NEW_KEY, ...request);
  await Deno.writeTextFile(`${folder}/names`, `subjectAltName=DNS:${host}`);
  const signed = ["-CA", `${authority}.pem`, "-CAkey", `${authority}.key`, "-CAcreateserial"];
  const names = ["-days", "2", "-extfile", "names", "-out", "server.pem"];
  await openssl(folder, "x509", "-req", "-in", "server.csr", ...signed, ...names);
}

/** PostgreSQL reads its key only if it is its own. */
async function giveKey(folder: string): Promise<void> {
  const args = ["postgres", `${folder}/server.key`];
  if (Deno.uid() === 0) await new Deno.Command("chown", { args }).output();
}

/** PostgreSQL with TLS, and two authorities; the first signed its certificate for a host. */
interface TlsServer extends AsyncDisposable {
  readonly folder: string;
  readonly server: Cluster;
}

async function startTlsServer(host: string): Promise<TlsServer> {
  const folder = await Deno.makeTempDir({ prefix: "prs-certificates-" });
  await makeSelfSigned(folder, "known");
  await makeSelfSigned(folder, "other");
  await makeCertificate(folder, "known", host);
  const key = `${folder}/server.key`;
  const server = await startCluster({
    durable: true,
    settings: { ssl: "on", ssl_cert_file: `${folder}/server.pem`, ssl_key_file: key },
    fill: async ({ call }, data) => {
      await Deno.chmod(folder, 0o755);
      await giveKey(folder);
      await call("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync");
    },
  });
  assert(server !== null);
  return {
    folder,
    server,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Settings of a service that trusts an authority. */
async function trusting(
  place: Installation,
  { folder, server }: TlsServer,
  authority: string,
): Promise<Record<string, string>> {
  const file = `${place.dataDir}/${authority}.pem`;
  await Deno.mkdir(place.dataDir, { recursive: true });
  await Deno.copyFile(`${folder}/${authority}.pem`, file);
  const parameters = new URLSearchParams({ sslmode: "verify-full", sslrootcert: file });
  const url = `postgres://postgres@localhost:${server.port}/postgres?${parameters}`;
  return { ...place.env, DATABASE_URL: url, SERVER_SECRET };
}

async function assertRefused(url: string | undefined): Promise<void> {
  const [code, sentence = ""] = await refusalOf(url ?? "") ?? [0, "it started"];
  assertMatch(sentence, REFUSED);
  assertEquals(code, 1);
}

Deno.test({
  name: "A server with the right certificate is spoken to under TLS alone, and no other one",
  ignore: ENGINE !== "postgres",
  async fn(test) {
    await using place = await createInstallation({ untouched: true });
    await using tls = await startTlsServer("localhost");
    const env = await trusting(place, tls, "known");
    await test.step("TLS alone", async () => {
      await using service = await startServer(env);
      assertEquals((await service.call("GET", "/api/v2/auth/setup")).status, 200);
      const asked = "select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) " +
        "where application_name = 'personal-records-service'";
      const { port, call } = tls.server;
      const login = ["-h", "127.0.0.1", "-p", `${port}`, "-U", "postgres"];
      assertEquals((await call("psql", "-AtX", ...login, "-c", asked)).trim(), "t");
    });
    const { DATABASE_URL: other } = await trusting(place, tls, "other");
    for (const url of [other, other?.replace(/&sslrootcert=.*/, "")]) {
      await test.step("An unknown authority", () => assertRefused(url));
    }
    await test.step("Another host's certificate", async () => {
      await makeCertificate(tls.folder, "known", "other.example");
      await giveKey(tls.folder);
      const { port, call } = tls.server;
      const login = ["-h", "127.0.0.1", "-p", `${port}`, "-U", "postgres"];
      await call("psql", "-AtX", ...login, "-c", "select pg_reload_conf()");
      await assertRefused(env.DATABASE_URL);
    });
  },
});

Deno.test("Only the TLS request is sent to a server without TLS", async () => {
  using listener = Deno.listen({ hostname: "localhost", port: 0 });
  const listening = firstBytes(listener);
  const url = `postgres://prs:hunter2@localhost:${listener.addr.port}/prs?sslmode=verify-full`;
  const [code] = await refusalOf(url) ?? [0];
  listener.close();
  assertEquals(code, 1);
  for (const { first, rest } of await listening) {
    assertEquals(first, SSL_REQUEST);
    // Anything sent then is the start of TLS.
    assert(rest.length === 0 || rest[0] === 22, rest.join());
    assertEquals(new TextDecoder().decode(new Uint8Array(rest)).includes("hunter2"), false);
  }
});

/** Bytes of each connection before and after its TLS request is rejected. */
async function firstBytes(
  listener: Deno.TcpListener,
): Promise<{ first: number[]; rest: number[] }[]> {
  const heard = [];
  try {
    for await (const connection of listener) {
      const bytes = new Uint8Array(2_000);
      const first = [...bytes.subarray(0, await connection.read(bytes) ?? 0)];
      await connection.write(new TextEncoder().encode("N"));
      const rest = [...bytes.subarray(0, await connection.read(bytes) ?? 0)];
      connection.close();
      heard.push({ first, rest });
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
  assert(heard.length > 0);
  return heard;
}

Deno.test("Programs require TLS for other machines unless it is disabled explicitly", async () => {
  await using place = await createInstallation({ untouched: true });
  for (const query of ["", "?sslmode=require"]) {
    // Reserved for documentation: no machine has it.
    const DATABASE_URL = `postgres://someone:hunter2@192.0.2.1/prs${query}`;
    const env = { ...place.env, DATABASE_URL, SERVER_SECRET };
    const programs = query !== "" ? [failStart(env)] : [
      failStart(env),
      runAdmin(env, ["account", "list"]),
      runBackupTask("restore", env, "file"),
    ];
    for (const ended of await Promise.all(programs)) {
      assertEquals(ended.code, 78, ended.stderr);
      assertStringIncludes(ended.stderr, "DATABASE_URL: off this machine sslmode=verify-full is");
      assertEquals(/hunter2|someone|192\.0/.test(ended.stderr), false, ended.stderr);
    }
  }
});

Deno.test("Start rejects a CA file that is unreadable or has no certificate", async () => {
  await using place = await createInstallation({ untouched: true });
  await Deno.mkdir(place.dataDir, { recursive: true });
  const file = `${place.dataDir}/authority.pem`;
  await Deno.writeTextFile(file, "-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n");
  for (const sslrootcert of [file, "/etc/hostname"]) {
    const parameters = new URLSearchParams({ sslmode: "verify-full", sslrootcert });
    const DATABASE_URL = `postgres://prs@localhost:1/prs?${parameters}`;
    const ended = await failStart({ ...place.env, DATABASE_URL, SERVER_SECRET });
    assertEquals(ended.code, 78, ended.stderr);
    assertStringIncludes(ended.stderr, "DATABASE_URL: the file of sslrootcert cannot be read");
    assertEquals(ended.stderr.includes(sslrootcert), false);
  }
});
