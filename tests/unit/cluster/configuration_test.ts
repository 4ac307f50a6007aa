/** The README's cluster files; the drill proves that they work. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { readConfig } from "../../../src/operator/config/config.ts";
import { parseDatabaseUrl } from "../../../src/database/database_url.ts";
import {
  DATABASE_MACHINES,
  databaseScript,
  etcdSettings,
  patroniFile,
  type Place,
  proxyFile,
  SERVICE_MACHINES,
  serviceSettings,
} from "../../../scripts/cluster/configuration.ts";

const PLACE: Place = {
  folder: "/somewhere",
  programs: "/usr/lib/postgresql/17/bin",
  portOf: (machine, port) => machine * 10_000 + port,
};
/** Addresses and paths of the README. */
const UNCHANGED = /10\.0\.0\.|\/var\/|\/etc\/haproxy\/records/;

Deno.test("README's etcd knows all members, and each has its own name and addresses", () => {
  for (const machine of DATABASE_MACHINES) {
    const settings = etcdSettings(PLACE, machine);
    assertEquals([settings.ETCD_NAME, settings.ETCD_ENABLE_V2], [`db${machine}`, "true"]);
    const own = `http://127.0.0.1:${machine}2379`;
    assertEquals(settings.ETCD_LISTEN_CLIENT_URLS, own);
    assertEquals(
      settings.ETCD_INITIAL_CLUSTER,
      "db1=http://127.0.0.1:12380,db2=http://127.0.0.1:22380,db3=http://127.0.0.1:32380",
    );
    assertEquals(UNCHANGED.test(JSON.stringify(settings)), false);
  }
});

Deno.test("README's Patroni settings give the service's guarantees", () => {
  for (const machine of DATABASE_MACHINES) {
    const file = patroniFile(PLACE, machine);
    for (
      const line of [
        /^ +synchronous_mode: true$/m,
        /^ +synchronous_mode_strict: true$/m,
        /^ +primary_start_timeout: 0$/m,
        /^ +fsync: "on"$/m,
        /^ +full_page_writes: "on"$/m,
        /^ +synchronous_commit: "on"$/m,
        new RegExp(`^name: db${machine}$`, "m"),
        // Not `etcd3`, with which Patroni 3.0 may revert a promotion and lose acknowledged writes.
        /^etcd:$/m,
        new RegExp(`^ +listen: 127\\.0\\.0\\.1:${machine}5432$`, "m"),
      ]
    ) assertMatch(file, line);
    assertEquals(UNCHANGED.test(file.replace(/^#.*\n/, "")), false, file);
    const [ttl = 0, pause = 0, retry = 0] = ["ttl", "loop_wait", "retry_timeout"].map((name) =>
      Number(new RegExp(`^ +${name}: (\\d+)$`, "m").exec(file)?.[1])
    );
    assert(ttl >= pause + 2 * retry, "Patroni's own rule");
  }
});

Deno.test("README's service settings are valid, and lead to the three databases", () => {
  for (const machine of SERVICE_MACHINES) {
    const settings = serviceSettings(PLACE, machine);
    assertEquals(settings.PORT, `${machine}8000`);
    const config = readConfig({ get: (name) => settings[name], readFile: () => "" });
    const { hosts, user, database } = parseDatabaseUrl(config.databaseUrl?.reveal() ?? "");
    assertEquals(hosts.map(({ port }) => port), [15_432, 25_432, 35_432]);
    assertMatch(databaseScript(), new RegExp(`create database ${database} owner ${user};`));
  }
});

Deno.test("README's HAProxy checks readiness of both services", () => {
  const file = proxyFile(PLACE);
  assertMatch(file, /GET uri \/readyz/);
  for (const machine of SERVICE_MACHINES) {
    assertMatch(
      file,
      new RegExp(`^ +server app${machine - 3} 127\\.0\\.0\\.1:${machine}8000$`, "m"),
    );
  }
  assertEquals(UNCHANGED.test(file.replace(/^#.*\n/, "")), false, file);
});
