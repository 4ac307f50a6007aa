/** Network access of the tasks by settings. */

import { assert, assertEquals } from "@std/assert";
import { netAccess, socketFiles } from "../../../../src/operator/config/net_access.ts";

const SOCKETS = ["unix:/srv/prs/admin.sock", "unix:/srv/prs/admin.new/s"];
const URL_FILE = "/run/secrets/database_url";

/** Without the admin sockets, which only the built-in database has. */
function accessOf(settings: Readonly<Record<string, string>>): readonly string[] {
  const access = netAccess({
    get: (name) => settings[name],
    readFile(path) {
      if (path !== URL_FILE) throw new Deno.errors.NotFound(path);
      return "postgres://prs:word@db.example/prs?sslmode=verify-full\n";
    },
    addresses: () => ["10.0.0.4", "fd00::4"],
  }, "/srv/prs");
  const isBuiltIn = !settings.DATABASE_URL && !settings.DATABASE_URL_FILE;
  assertEquals(access.filter((each) => each.includes("/admin.")), isBuiltIn ? SOCKETS : []);
  return access.filter((each) => !each.includes("/admin."));
}

const DATABASE = "postgres://prs:word@";
const CASES: readonly [Readonly<Record<string, string>>, readonly string[]][] = [
  [{}, ["127.0.0.1:8000"]],
  [{ HOST: "", PORT: "", DATABASE_URL: "" }, ["127.0.0.1:8000"]],
  [{ PORT: "0" }, ["127.0.0.1"]],
  [{ HOST: "0.0.0.0", PORT: "80" }, ["0.0.0.0:80", "127.0.0.1:80"]],
  [{ HOST: "127.0.0.2" }, ["127.0.0.2:8000"]],
  [{ HOST: "::1" }, ["[::1]:8000"]],
  [{ HOST: "::", PORT: "0" }, ["[::]", "[::1]"]],
  [{ HOST: "app.lan" }, ["app.lan:8000", "10.0.0.4:8000", "[fd00::4]:8000"]],
  [{ DATABASE_URL: `${DATABASE}localhost/prs` }, ["127.0.0.1:8000", "localhost:5432"]],
  [
    { DATABASE_URL: `${DATABASE}one.example,[fd00::1]:5433/prs?sslmode=disable` },
    ["127.0.0.1:8000", "one.example:5432", "[fd00::1]:5433"],
  ],
  [{ DATABASE_URL_FILE: URL_FILE }, ["127.0.0.1:8000", "db.example:5432"]],
  [
    { EVALUATION_PROVIDER_URL: "https://models.example/v1/chat" },
    ["127.0.0.1:8000", "models.example:443"],
  ],
  [{ EVALUATION_PROVIDER_URL: "http://[::1]:11434/v1" }, ["127.0.0.1:8000", "[::1]:11434"]],
  // Rejected by the program.
  [{ PORT: "http" }, []],
  [{ PORT: "65536" }, []],
  [{ HOST: "a b" }, []],
  [{ HOST: "a..b" }, []],
  [{ DATABASE_URL: "postgres://" }, ["127.0.0.1:8000"]],
  [{ DATABASE_URL_FILE: "/run/secrets/none" }, ["127.0.0.1:8000"]],
  [{ EVALUATION_PROVIDER_URL: "models.example" }, ["127.0.0.1:8000"]],
];

for (const [settings, expected] of CASES) {
  Deno.test(`Program with ${JSON.stringify(settings)} reaches only what its settings name`, () => {
    assertEquals(accessOf(settings), expected);
  });
}

Deno.test("The sockets' folder may be relative to the task's folder", () => {
  const settings = { get: () => undefined, readFile: () => "", addresses: () => [] };
  assertEquals(netAccess(settings, "./data").at(-1), `unix:${Deno.cwd()}/data/admin.new/s`);
});

Deno.test("socketFiles() names the sockets of PostgreSQL, and netAccess() allows them", () => {
  const values: Readonly<Record<string, string>> = {
    DATABASE_URL_FILE: "/run/secrets/url",
    ERASE_DATABASE_URL: "postgres://prs@db.example/prs?sslmode=disable",
  };
  const settings = {
    get: (name: string) => values[name],
    readFile: () => "postgres://prs@%2Frun%2Fpostgresql:5433/prs\n",
    addresses: () => [],
  };
  const file = "/run/postgresql/.s.PGSQL.5433";
  assertEquals(socketFiles(settings), [file]);
  assert(netAccess(settings, "/data").includes(`unix:${file}`));
  assertEquals(socketFiles({ get: () => "mysql://nobody", readFile: () => "" }), []);
});
