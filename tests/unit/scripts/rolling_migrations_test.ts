import { assertEquals } from "@std/assert";
import { rollingProblems } from "../../../scripts/rolling_migrations.ts";
import { MIGRATIONS } from "../../../src/database/migration_files.ts";

const FITTING = [
  "create table pots (pot_id ulid primary key, name text not null)",
  "create table pots (pot_id ulid); alter table pots add constraint pot_named check (true)",
  "create table pots (pot_id ulid); create unique index one_pot on pots (pot_id)",
  "alter table gardens add column shade text",
  "alter table gardens add column shade text not null default 'none', add column wind text",
  "alter table gardens add column shade text, add constraint shade_known check (shade in ('a'))",
  "alter table gardens drop constraint state_known, add constraint state_known check (state in ('a'))",
  "alter table gardens drop constraint a, drop constraint b, add constraint both check (f(c)) not valid",
  "create index gardens_by_shade on gardens (shade); create or replace function f() returns text",
  "-- drop table gardens",
];

const BREAKING: Readonly<Record<string, string>> = {
  "drop table gardens": "takes away a table",
  "alter table gardens drop column shade": "takes away a column",
  "alter table gardens rename column shade to shadow": "gives something another name",
  "alter table gardens\n  alter column shade type integer": "changes the type of a column",
  "alter table gardens alter column shade set not null": "asks for a value that was not needed",
  "alter table gardens alter column shade drop default": "asks for a value that was not needed",
  "alter table gardens add column shade text not null": "asks for a new value",
  "alter table gardens add column wind text default '', add column shade text not null":
    "asks for a new value",
  "create unique index one_shade on gardens (shade)": "refuses what was taken",
  "alter table gardens add constraint shade_known check (shade in ('a'))": "refuses what was taken",
  "alter table gardens drop constraint a, add constraint b check (f(c))": "refuses what was taken",
  "drop function shade_of(text)": "takes away a function",
};

Deno.test("rollingProblems() names what breaks the previous release", () => {
  for (const sql of FITTING) assertEquals(rollingProblems(sql), [], sql);
  for (const [sql, why] of Object.entries(BREAKING)) {
    const found = rollingProblems(`create table pots (pot_id ulid);\n${sql};`);
    assertEquals(found.map((problem) => problem.split(":")[0]), [why], sql);
  }
});

Deno.test("Every step from the second on keeps the previous release working", () => {
  for (const { name, sql } of MIGRATIONS.slice(1)) assertEquals(rollingProblems(sql), [], name);
});
