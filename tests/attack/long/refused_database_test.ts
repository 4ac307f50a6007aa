/** Real servers with a wrong setting: the message of a start or command, and its exit code. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Cluster, startCluster } from "../../../scripts/postgres_cluster.ts";
import type { Sql } from "../../../src/database/sql.ts";
import { freePort } from "../../support/ports.ts";
import { createInstallation } from "../../support/installation.ts";
import { startServer, stopStarting } from "../../support/server_process.ts";
import { open, refusalOf } from "./starts.ts";

const HBA = [
  "host closed all 127.0.0.1/32 reject",
  "host all postgres 127.0.0.1/32 trust",
  "host all all 127.0.0.1/32 scram-sha-256",
  "local all all trust",
].join("\n");

/** Initialised without a locale, so that its own databases have the encoding SQL_ASCII. */
async function startServerOf(settings: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  const server = await startCluster({
    settings,
    fill: async ({ call }, data) => {
      await call("initdb", "-D", data, "-U", "postgres", "--no-locale", "--no-sync");
      await Deno.writeTextFile(`${data}/pg_hba.conf`, HBA);
    },
  });
  assert(server !== null);
  return server;
}

/** Runs statements as the superuser. */
async function administer(
  { call, port }: Cluster,
  statements: readonly string[],
  database = "postgres",
): Promise<string> {
  const login = ["-h", "127.0.0.1", "-p", `${port}`, "-U", "postgres", "-d", database];
  return await call("psql", "-qAtX", ...login, ...statements.flatMap((text) => ["-c", text]));
}

/** The statements of the chapter. */
async function chapterLines(): Promise<string[]> {
  const text = await Deno.readTextFile("src/database/README.md");
  const [, block = ""] = /```sql\n([\s\S]*?)```/.exec(text) ?? [];
  return block.trim().split("\n").map((line) => line.replace("PASSWORD", "secret"));
}

const OWNED = (name: string) => [
  `create role ${name} login password 'secret'`,
  `create database ${name} owner ${name} encoding 'UTF8' template template0`,
];

/** Wrong databases: the statements that create them, the exit code, and the message. */
const WRONG: readonly (readonly [
  name: string,
  made: readonly string[],
  code: number,
  said: RegExp,
  within?: readonly string[],
])[] = [
  [
    "ascii",
    [
      "create role ascii login password 'secret'",
      "create database ascii owner ascii template template0",
    ],
    78,
    /"ascii" has the encoding SQL_ASCII, and the service needs UTF8/,
  ],
  [
    "latin",
    [
      "create role latin login password 'secret'",
      "create database latin owner latin encoding 'LATIN1' template template0",
    ],
    78,
    /"latin" has the encoding LATIN1/,
  ],
  ["absent", ["create role absent login password 'secret'"], 78, /no database "absent"/],
  ["stranger", [], 78, /password of the role "stranger" is wrong, or there is no such role/],
  [
    "mistyped",
    [...OWNED("mistyped"), "alter role mistyped password 'another'"],
    78,
    /password of the role "mistyped" is wrong/,
  ],
  ["barred", [...OWNED("barred"), "alter role barred nologin"], 78, /role "barred" .* log in/],
  ["closed", OWNED("closed"), 78, /role "closed" .* pg_hba\.conf/],
  [
    "unconnected",
    [
      ...OWNED("unconnected"),
      "alter database unconnected owner to postgres",
      "revoke connect on database unconnected from public",
    ],
    78,
    /role "unconnected" may not connect/,
  ],
  [
    "poor",
    [...OWNED("poor"), "alter database poor owner to postgres"],
    78,
    /role "poor" may not .* create tables/,
  ],
  [
    "astray",
    [...OWNED("astray"), "alter role astray set search_path = nowhere"],
    78,
    /No schema in the role's search_path exists in the database "astray"/,
  ],
  [
    "crowded",
    [...OWNED("crowded"), "alter role crowded connection limit 1"],
    1,
    /no more connections: .*limit of the role "crowded"/,
  ],
  ["shop", OWNED("shop"), 78, /"shop" has tables that this service has not made/, [
    "create table public.accounts (id integer)",
  ]],
  ["rails", OWNED("rails"), 78, /"rails" has tables that this service has not made/, [
    "create table public.schema_migrations (version varchar); grant all on schema_migrations to rails",
  ]],
];

Deno.test("A start names what is wrong with the database, and whether a new try can heal it", async () => {
  const server = await startServerOf();
  try {
    for (const [name, made, code, said, within = []] of WRONG) {
      await administer(server, made);
      if (within.length > 0) await administer(server, within, name);
      const url = `postgres://${name}:secret@127.0.0.1:${server.port}/${name}`;
      const [ended, sentence = ""] = await refusalOf(url) ?? [0, "it started"];
      assertMatch(sentence, said);
      assertEquals([ended, sentence.includes("secret"), sentence.includes("\n")], [
        code,
        false,
        false,
      ]);
    }
    const port = freePort();
    const nowhere = await refusalOf(`postgres://prs@127.0.0.1:${port}/prs`);
    assertEquals(nowhere, [1, `Nothing listens at 127.0.0.1:${port}`]);

    await administer(server, await chapterLines());
    const good = `postgres://prs:secret@127.0.0.1:${server.port}/prs`;
    assertEquals(await refusalOf(good), null);
    await assertPinned(server, good);
    await assertStandbyIsNamed(server);
  } finally {
    await server.stop();
  }
});

/** Settings of a role that would break the service. */
const HARMFUL: Readonly<Record<string, string>> = {
  timezone: "Asia/Tokyo",
  datestyle: "German, DMY",
  intervalstyle: "sql_standard",
  extra_float_digits: "-15",
  bytea_output: "escape",
  statement_timeout: "3s",
  lock_timeout: "3s",
  idle_session_timeout: "3s",
  idle_in_transaction_session_timeout: "3s",
  default_transaction_isolation: "serializable",
  default_transaction_read_only: "on",
  default_transaction_deferrable: "on",
  standard_conforming_strings: "off",
  synchronous_commit: "off",
  search_path: "nowhere, public",
};

async function assertPinned(server: Cluster, url: string): Promise<void> {
  const names = Object.keys(HARMFUL);
  const read = (sql: Sql) =>
    sql<{ name: string; setting: string }>`
      select lower(name) as name, setting from pg_settings
       where lower(name) in (select json_array_elements_text(${JSON.stringify(names)}::text::json))
         and lower(name) <> 'default_transaction_read_only'
       order by 1`;
  const settings = async () => {
    const database = await open(url);
    try {
      const sessions = [
        await database.read(read),
        await database.transaction(({ sql }) => read(sql)),
        await database.write(read),
      ];
      return sessions.map((rows) => rows.map(({ name, setting }) => `${name}=${setting}`));
    } finally {
      await database.close();
    }
  };
  const before = await settings();
  const change = Object.entries(HARMFUL).map(([name, value]) =>
    name === "search_path"
      ? `alter role prs set search_path = ${value}`
      : `alter role prs set ${name} = '${value}'`
  );
  await administer(server, change);
  assertEquals(await settings(), before);
  await administer(server, ["alter role prs reset all"]);
}

/** A start whose first commit waits reports that, and ends by a signal. */
async function assertStandbyIsNamed(server: Cluster): Promise<void> {
  await administer(server, [
    ...OWNED("waiting"),
    "alter system set synchronous_standby_names = 'ghost'",
    "select pg_reload_conf()",
  ]);
  await using place = await createInstallation({ untouched: true });
  const url = `postgres://waiting:secret@127.0.0.1:${server.port}/waiting`;
  const { code, stderr } = await stopStarting(
    { ...place.env, DATABASE_URL: url },
    /^PostgreSQL waits for a standby of synchronous_standby_names/,
  );
  assertEquals(code, 0, stderr);
}

const SOCKETS = "/run/postgresql";
const hasSockets = Deno.uid() === 0 && await Deno.stat(SOCKETS).then(() => true, () => false);

Deno.test({
  name: "The service works over a Unix socket, with the permissions of its task",
  ignore: !hasSockets,
  async fn() {
    const server = await startServerOf({ unix_socket_directories: SOCKETS });
    try {
      await administer(server, await chapterLines());
      await using place = await createInstallation({ untouched: true });
      const url = `postgres://prs@%2Frun%2Fpostgresql:${server.port}/prs`;
      await using service = await startServer({ ...place.env, DATABASE_URL: url });
      const owner = await service.setUp();
      assertEquals((await owner.call("GET", "/api/v2/auth/session")).status, 200);
      const asked =
        "select count(*) from pg_stat_activity where usename = 'prs' and client_addr is null";
      assertStringIncludes("123456789", (await administer(server, [asked])).trim().charAt(0));
    } finally {
      await server.stop();
    }
  },
});
