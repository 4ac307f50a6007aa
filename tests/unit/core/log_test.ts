import { assertEquals, assertMatch } from "@std/assert";
import { createLog, errorFields, LOG_LEVELS, type LogLevel } from "../../../src/core/log.ts";

function linesAt(level: LogLevel): string[] {
  const lines: string[] = [];
  const log = createLog(level, (line) => lines.push(line));
  for (const name of ["debug", "info", "warn", "error"] as const) log[name](`${name} event`);
  return lines;
}

Deno.test("createLog() drops lines below its level", () => {
  const all = ["debug", "info", "warn", "error"];
  for (const [index, level] of LOG_LEVELS.entries()) {
    const levels = linesAt(level).map((line) => JSON.parse(line).level);
    assertEquals(levels, all.slice(index), level);
  }
});

Deno.test("createLog() writes one JSON line per event, for any fields", () => {
  const lines: string[] = [];
  const log = createLog("info", (line) => lines.push(line));
  log.info("event", {
    text: 'a line\nbreak, a "quote" and \u2028',
    count: 3,
    none: null,
    yes: true,
  });
  const [line = ""] = lines;
  assertEquals([lines.length, line.includes("\n")], [1, false]);
  const { at, ...rest } = JSON.parse(line);
  assertMatch(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assertEquals(rest, {
    level: "info",
    event: "event",
    text: 'a line\nbreak, a "quote" and \u2028',
    count: 3,
    none: null,
    yes: true,
  });
});

Deno.test("errorFields() returns an error's class and codes, without its text", () => {
  const failure = Object.assign(new Error("value (secret) already exists"), {
    name: "PostgresError",
    code: "23505",
    constraint_name: "account_email_unique",
    detail: "Key (email)=(secret) already exists.",
    where: "secret",
    hint: "secret",
  });
  assertEquals(errorFields(failure), {
    error: "PostgresError",
    code: "23505",
    constraint: "account_email_unique",
  });
  assertEquals(errorFields(new TypeError("secret")), {
    error: "TypeError",
    code: null,
    constraint: null,
  });
  const odd = Object.assign(new Error("secret"), { code: { secret: true }, constraint_name: 1 });
  assertEquals(errorFields(odd), { error: "Error", code: null, constraint: null });
});

Deno.test("errorFields() returns only the type of other thrown values", () => {
  for (
    const [thrown, kind] of [["secret", "string"], [{ secret: 1 }, "object"], [null, "object"]]
  ) {
    assertEquals(errorFields(thrown), { error: kind as string });
  }
});

Deno.test("createLog() counts lines that cannot be written, and reports them once it can write", () => {
  const lines: string[] = [];
  let isBroken = false;
  const log = createLog("info", (line) => {
    if (isBroken) throw new Deno.errors.BrokenPipe("Broken pipe");
    lines.push(JSON.parse(line).event);
  });
  log.info("before");
  isBroken = true;
  for (const level of ["info", "warn", "error", "debug"] as const) log[level]("lost");
  assertEquals(log.linesLost, 3);
  isBroken = false;
  log.info("after");
  log.info("later");
  assertEquals(lines, ["before", "log_lines_lost", "after", "later"]);
  isBroken = true;
  log.info("lost");
  assertEquals(log.linesLost, 4);
});
