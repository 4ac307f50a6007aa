import { assertEquals } from "@std/assert";
import { databaseUrlProblem, parseDatabaseUrl } from "../../../src/database/database_url.ts";

const LOCAL = { name: "localhost", port: 5432 };

Deno.test("Database URL decodes user, password and database", () => {
  const { user, password, database, hosts, sslmode } = parseDatabaseUrl(
    "postgresql://a%40b:p%3Aw%2F:x,y@localhost/my%20records",
  );
  assertEquals({ user, password, database, hosts, sslmode }, {
    user: "a@b",
    password: "p:w/:x,y",
    database: "my records",
    hosts: [LOCAL],
    sslmode: "disable",
  });
  assertEquals(parseDatabaseUrl("postgres://prs@localhost").database, "prs");
  assertEquals(parseDatabaseUrl("postgres://prs@localhost/").password, "");
});

Deno.test("Database URL accepts several hosts, each with its own port or the standard one", () => {
  const url = "postgres://prs@one.example:6000,TWO.example,three_3/prs?sslmode=verify-full" +
    "&target_session_attrs=read-write&sslrootcert=/run/secrets/ca.pem";
  const { hosts, sslmode, sslrootcert } = parseDatabaseUrl(url);
  assertEquals({ hosts, sslmode, sslrootcert }, {
    hosts: [
      { name: "one.example", port: 6000 },
      { name: "two.example", port: 5432 },
      { name: "three_3", port: 5432 },
    ],
    sslmode: "verify-full",
    sslrootcert: "/run/secrets/ca.pem",
  });
  assertEquals(parseDatabaseUrl("postgres://prs@[::1]:6000,127.0.0.1/prs").hosts, [
    { name: "::1", port: 6000 },
    { name: "127.0.0.1", port: 5432 },
  ]);
});

Deno.test("Database URL accepts a Unix socket in either form, without TLS", () => {
  const urls = [
    "postgres://prs@%2Frun%2Fpostgresql/records",
    "postgres://prs@%2Frun%2Fpostgresql%2F/records?sslmode=prefer",
    "postgres://prs@/records?host=/run/postgresql",
    "postgres://prs@%2frun%2fpostgresql:5433/records",
  ];
  const ports = urls.map((url) => {
    const { hosts: [host, ...others], user, database, sslmode } = parseDatabaseUrl(url);
    assertEquals([host?.name, others, user, database, sslmode], [
      "/run/postgresql",
      [],
      "prs",
      "records",
      "disable",
    ]);
    return host?.port;
  });
  assertEquals(ports, [5432, 5432, 5432, 5433]);
  const cloud = parseDatabaseUrl("postgres://prs@/prs?host=/cloudsql/one:eu-1:three");
  assertEquals(cloud.hosts, [{ name: "/cloudsql/one:eu-1:three", port: 5432 }]);
});

const ACCEPTED = [
  "postgres://prs@127.1.2.3/prs",
  "postgres://prs@[::1]/prs",
  "postgres://prs@LocalHost:6000/prs?sslmode=require",
  "postgres://prs@localhost/prs?sslmode=verify-full&sslrootcert=system",
  "postgres://prs@localhost/prs?target_session_attrs=primary",
  "postgres://prs@db.example/prs?sslmode=verify-full",
  "postgres://prs@10.0.0.1/prs?sslmode=disable",
  "postgres://prs@localhost,db.example/prs?sslmode=disable",
];
for (const url of ACCEPTED) {
  Deno.test(`Database URL ${url} is accepted`, () => assertEquals(databaseUrlProblem(url), null));
}

const UNVERIFIED = "off this machine sslmode=verify-full is needed, " +
  "or sslmode=disable where others cannot listen";
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "not valid": [
    "",
    "postgres",
    "mysql://prs@localhost/prs",
    "postgres://localhost/prs",
    "postgres://:word@localhost/prs",
    "postgres://prs@/prs",
    "postgres://prs@localhost,/prs",
    "postgres://prs@localhost:port/prs",
    "postgres://prs@localhost:0/prs",
    "postgres://prs@localhost:65536/prs",
    "postgres://prs@::1/prs",
    "postgres://prs@[localhost]/prs",
    "postgres://prs@127.0.0.256/prs",
    "postgres://prs@local host/prs",
    "postgres://prs:50%@localhost/prs",
    "postgres://prs@localhost/%ff",
    "postgres://prs@localhost/prs?host=%2Frun%2Fpostgresql",
    "postgres://prs@%2Frun%2Fpostgresql:0/prs",
    "postgres://prs@%2Frun%2F..%2Fsecrets/prs",
    "postgres://prs@%2Frun%2Fpostgresql,localhost/prs",
    "postgres://prs@localhost/prs#sslmode=disable",
  ],
  [UNVERIFIED]: [
    "postgres://prs@db.example/prs",
    "postgres://prs@10.0.0.1/prs",
    "postgres://prs@[2001:db8::1]/prs",
    "postgres://prs@localhost.example/prs",
    "postgres://prs@127.0.0.1.example/prs",
    "postgres://prs@0.0.0.0/prs",
    "postgres://prs@localhost,db.example/prs",
    "postgres://prs@db.example,localhost/prs",
    ...["allow", "prefer", "require", "verify-ca", "on", "", "DISABLE"].map((mode) =>
      `postgres://prs@db.example/prs?sslmode=${mode}`
    ),
  ],
  "sslmode is not known": [
    "postgres://prs@localhost/prs?sslmode=on",
    "postgres://prs@localhost/prs?sslmode=",
  ],
  "sslmode=verify-full needs host names instead of addresses": [
    "postgres://prs@10.0.0.1/prs?sslmode=verify-full",
    "postgres://prs@db.example,[2001:db8::1]/prs?sslmode=verify-full",
  ],
  "sslrootcert needs sslmode=verify-full": [
    "postgres://prs@localhost/prs?sslrootcert=/run/secrets/ca.pem",
    "postgres://prs@db.example/prs?sslmode=disable&sslrootcert=/run/secrets/ca.pem",
  ],
  "target_session_attrs must be primary or read-write": ["any", "standby", "read-only", ""].map(
    (target) => `postgres://prs@localhost/prs?target_session_attrs=${target}`,
  ),
  "a parameter is given twice": [
    "postgres://prs@localhost/prs?sslmode=verify-full&sslmode=disable",
  ],
  "a Unix socket has no TLS: leave sslmode out": ["require", "verify-full"].map((mode) =>
    `postgres://prs@%2Frun%2Fpostgresql/prs?sslmode=${mode}`
  ),
  [
    "accepts only the parameters sslmode, sslrootcert, target_session_attrs, host; " +
    "src/database/README.md says what to write instead of others"
  ]: [
    "postgres://prs@localhost/prs?synchronous_commit=off",
    "postgres://prs@localhost/prs?options=-c%20synchronous_commit%3Doff",
    "postgres://prs@localhost/prs?ssl=true",
    "postgres://prs@localhost/prs?channel_binding=require",
  ],
};
for (const [problem, urls] of Object.entries(REFUSED)) {
  Deno.test(`Database URL is rejected: ${problem}`, () => {
    for (const url of urls) assertEquals(databaseUrlProblem(url), problem, url);
  });
}
