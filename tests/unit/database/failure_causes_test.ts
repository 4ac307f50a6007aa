import { assertEquals, assertMatch } from "@std/assert";
import { parseDatabaseUrl } from "../../../src/database/database_url.ts";
import { causeOf } from "../../../src/database/failure_causes.ts";

const ADDRESS = parseDatabaseUrl("postgres://ann:hunter2@db.example/records?sslmode=disable");

function failure(code: string, more: object = {}): Error {
  const isSqlstate = /^[0-9A-Z]{5}$/.test(code) && code !== "EPIPE";
  return Object.assign(
    new Error("hunter2"),
    isSqlstate && { name: "PostgresError" },
    { code },
    more,
  );
}

/** Codes with the names in their messages; permanent if a retry cannot succeed. */
const NAMED: readonly (readonly [codes: readonly string[], names: RegExp, isPermanent: boolean])[] =
  [
    [["28P01"], /password of the role "ann" is wrong/, true],
    [["28000"], /role "ann" into the database "records"/, true],
    [["3D000"], /no database "records"/, true],
    [["42501"], /role "ann" may not .* "records"/, true],
    [["3F000"], /No schema .* "ann" .* "records"/, true],
    [["42P07", "42710", "42723", "42703", "42P01"], /"records" has tables that this service/, true],
    [["42704"], /setting/, true],
    [["08P01"], /pooler does not know the role "ann" or the database "records"/, true],
    [["53300"], /no more connections: raise max_connections/, false],
    [["53100"], /disk of PostgreSQL is full/, false],
    [["25006"], /"records" accepts no writes/, false],
    [["57P03"], /starting, stopping or recovering/, false],
    [["ENOTFOUND"], /host of db\.example:5432 has no address/, false],
    [["ECONNREFUSED"], /Nothing listens at db\.example:5432/, false],
    [["CONNECT_TIMEOUT", "CONNECTION_LOST"], /db\.example:5432 does not answer/, false],
    [["ECONNRESET", "CONNECTION_CLOSED"], /db\.example:5432 closes the connection/, false],
  ];

Deno.test("causeOf() names what is wrong, and whether it can heal, never a password", () => {
  for (const [codes, names, isPermanent] of NAMED) {
    for (const code of codes) {
      const cause = causeOf(failure(code), ADDRESS);
      assertMatch(cause?.text ?? "", names, code);
      assertEquals(
        [cause?.isPermanent, cause?.text.includes("hunter2")],
        [isPermanent, false],
        code,
      );
    }
  }
  assertEquals(causeOf(failure("XX000"), ADDRESS), null);
  assertEquals(causeOf(new RangeError("hunter2"), ADDRESS), null);
});

Deno.test("causeOf() tells a lack of locks from a lack of memory", () => {
  const hint = 'You might need to increase "max_locks_per_transaction".';
  assertMatch(causeOf(failure("53200", { hint }), ADDRESS)?.text ?? "", /no locks left/);
  assertMatch(causeOf(failure("53200"), ADDRESS)?.text ?? "", /out of memory/);
});

Deno.test("causeOf() names the file of a Unix socket", () => {
  const address = parseDatabaseUrl("postgres://ann@%2Frun%2Fpostgresql/records");
  assertEquals(
    causeOf(failure("ENOENT"), address)?.text,
    "PostgreSQL has no socket at /run/postgresql/.s.PGSQL.5432",
  );
});
