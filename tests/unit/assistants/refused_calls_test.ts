/** The number and the time of the events of refused calls. */

import { assertEquals, assertRejects } from "@std/assert";
import { type CallEvent, RefusedCalls } from "../../../src/assistants/refused_calls.ts";
import { createLog } from "../../../src/core/log.ts";
import type { Timer } from "../../../src/core/timer.ts";
import { manualTime } from "../../support/manual_time.ts";

const MINUTE = 60_000;

function counted(timer?: Timer) {
  const time = manualTime();
  const logged: string[] = [];
  const written: string[] = [];
  const state = { fails: false };
  const write = ({ requestId, now, toolCall }: CallEvent): Promise<void> => {
    if (state.fails) return Promise.reject(new Error("no database"));
    const { tool, moduleCode, count } = toolCall;
    written.push(`${now.toISOString().slice(11, 19)} ${requestId} ${tool} ${moduleCode} ${count}`);
    return Promise.resolve();
  };
  const log = createLog("debug", (line) => logged.push(JSON.parse(line).event));
  const calls = new RefusedCalls({ clock: time.clock, timer: timer ?? time.timer, log }, write);
  let last = 0;
  const refuse = (tool = "get_record", moduleCode = "action", id = "A") =>
    calls.log({
      event: "ASSISTANT_READ",
      accountId: "1",
      credential: { kind: "ASSISTANT", id },
      toolCall: { tool, moduleCode, records: 0 },
      requestId: String(++last),
      now: time.clock(),
      client: null,
    }, write);
  return { time, calls, written, logged, state, refuse };
}

Deno.test("The first refused call of a minute is written at once, the others when it has passed", async () => {
  const { time, written, refuse } = counted();
  for (let call = 0; call < 4; call++) await refuse();
  await refuse("get_record", "routine");
  await refuse("search");
  await refuse("get_record", "action", "B");
  const first = [
    "12:00:00 1 get_record action undefined",
    "12:00:00 5 get_record routine undefined",
    "12:00:00 6 search action undefined",
    "12:00:00 7 get_record action undefined",
  ];
  assertEquals(written, first);
  await time.advance(MINUTE - 1);
  assertEquals(written, first);
  await time.advance(1);
  assertEquals(written, [...first, "12:01:00 4 get_record action 3"]);
  await refuse();
  assertEquals(written.at(-1), "12:01:00 8 get_record action undefined");
  assertEquals(time.waiting, [MINUTE]);
});

Deno.test("The next refused call writes the others of a minute whose timer is late", async () => {
  const { time, written, refuse } = counted(() => () => {});
  await refuse();
  await refuse();
  await time.advance(MINUTE);
  await refuse();
  assertEquals(written.slice(1), [
    "12:01:00 2 get_record action 1",
    "12:01:00 3 get_record action undefined",
  ]);
});

Deno.test("A stop writes what is counted", async () => {
  const { calls, time, written, refuse } = counted();
  await refuse();
  await refuse();
  await calls.stop();
  assertEquals(written.at(-1), "12:00:00 2 get_record action 1");
  assertEquals(time.waiting, []);
});

Deno.test("Without the first event the next call is the first, and a lost count is logged", async () => {
  const { calls, written, logged, state, refuse } = counted();
  state.fails = true;
  await assertRejects(() => refuse());
  state.fails = false;
  await refuse();
  assertEquals(written.length, 1);
  await refuse();
  state.fails = true;
  await calls.stop();
  assertEquals(logged, ["refused_calls_not_noted"]);
});
