import { assertEquals } from "@std/assert";
import { createLog } from "../../../src/core/log.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";
import { createUnavailableLog } from "../../../src/http/unavailable_log.ts";
import type { Json } from "../../support/world.ts";

const FULL = Object.assign(new Error("a value"), { name: "PostgresError", code: "53100" });

Deno.test("The log explains 503 responses at most once a second, and counts the rest", () => {
  const lines: Json[] = [];
  let now = 1_000_000;
  const log = createLog("warn", (line) => lines.push(JSON.parse(line)));
  const report = createUnavailableLog(log, () => new Date(now));
  const refuse = (cause?: unknown) => report(new ServiceError("HTTP_503", { cause }), "an id");
  const written = () =>
    lines.splice(0).map(({ at: _, ...line }) => {
      assertEquals([line.level, line.event, line.requestId], ["warn", "unavailable", "an id"]);
      return [line.error, line.code, line.unreported];
    });

  refuse(FULL);
  refuse(FULL);
  now += 999;
  refuse();
  assertEquals(written(), [["PostgresError", "53100", 0]]);
  now += 1;
  refuse();
  assertEquals(written(), [["ServiceError", "HTTP_503", 2]]);
  now += 1_000;
  refuse("a value");
  assertEquals(written(), [["string", null, 0]]);
  // Set back by an hour.
  now -= 3_600_000;
  refuse(FULL);
  assertEquals(written(), [["PostgresError", "53100", 0]]);
});
