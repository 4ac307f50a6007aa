import { assertEquals, assertThrows } from "@std/assert";
import { toScript, type WireCall } from "../../../scripts/bench/statement_script.ts";
import type { WireStatement } from "../../../scripts/bench/wire_tap.ts";

const TARGETS = ["01JD5A0000000000000000REC1", "01JD5A0000000000000000REC2"] as const;
const MADE = ["01JD5A0000000000000000NEW1", "01JD5A0000000000000000NEW2"] as const;
const MOMENTS = ["2026-11-20T12:00:00.000Z", "2026-11-20T12:00:00.007Z"] as const;

function scriptOf(
  statements: (call: 0 | 1) => (Partial<WireStatement> & { text: string })[],
  { revisions = [null, null] }: { revisions?: [number | null, number | null] } = {},
): string[] {
  const callOf = (call: 0 | 1): WireCall => ({
    statements: statements(call).map((each) => ({
      types: [],
      parameters: [],
      flight: 1,
      settings: {},
      ...each,
    })),
    target: TARGETS[call],
    revision: revisions[call],
    key: `key ${call}`,
  });
  const { text, variables } = toScript(callOf(0), callOf(1), 99);
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return [...text.trim().split("\n").slice(2), ...lines];
}

Deno.test("A differing parameter is written by its meaning", () => {
  const target = "(select record_id from bench_target where number = :target)";
  const made = "('0' || lpad((:number::bigint + 0000000000000000)::text, 25, '0'))";
  const statements = (call: 0 | 1) => [{
    text: "select $1, $2, $3, $4, $5",
    types: [0, 0, 0, 1184, 20],
    parameters: [TARGETS[call], MADE[call], `key ${call}`, MOMENTS[call], `77${call}`],
  }];
  assertEquals(scriptOf(statements), [
    `select (${target}), (${made}), ('bench-' || :number::text), now()::timestamptz, ` +
    ":number::bigint;",
  ]);
});

Deno.test("A statement after a locked root uses its revision", () => {
  const statements = (call: 0 | 1) => {
    const revision = [4, 1][call] ?? 0;
    return [
      { text: "begin" },
      { text: "select * from records where id = 1 for no key update" },
      { text: "update $1, $2", parameters: [`${revision}`, `${revision + 1}`], flight: 2 },
      { text: "commit", flight: 2 },
    ];
  };
  assertEquals(scriptOf(statements, { revisions: [4, 1] }), [
    "begin;",
    "select * from records where id = 1 for no key update",
    "\\gset root_",
    "\\set next_revision :root_revision + 1",
    "\\startpipeline",
    "update :root_revision, :next_revision;",
    "commit;",
    "\\endpipeline",
  ]);
});

Deno.test("Two calls with different statements make no script", () => {
  assertThrows(
    () => scriptOf((call) => [{ text: `select ${call}` }]),
    Error,
    "the same statements",
  );
  assertThrows(() => scriptOf(() => []), Error, "the same statements");
});
