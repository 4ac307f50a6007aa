import { assert, assertEquals } from "@std/assert";
import { describeCosts, processSeconds, SHARED } from "../../support/processor_time.ts";

Deno.test({
  name: "processSeconds() counts a process's ended and running programs",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const busy = "i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done";
    const before = processSeconds(Deno.pid);
    await new Deno.Command("sh", { args: ["-c", busy] }).output();
    const ended = processSeconds(Deno.pid);
    assert(ended > before, `${before} to ${ended}`);
    const child = new Deno.Command("sh", {
      args: ["-c", `${busy}; echo done; read line`],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    await child.stdout.getReader().read();
    const [both, alone] = [processSeconds(Deno.pid), processSeconds(child.pid)];
    child.kill();
    await child.stdin.close().catch(() => {});
    await child.status;
    // Sums of hundredths of a second are not exact.
    assert(alone > 0 && both > ended + alone - 0.001, `${ended} to ${both} with ${alone}`);
  },
});

Deno.test("describeCosts() sums what runs, and begins with the most expensive file", () => {
  const [total, ...files] = describeCosts([
    { file: SHARED, engine: "postgres", seconds: 2 },
    { file: "tests/a_test.ts", engine: "postgres", seconds: 1 },
    { file: "tests/b_test.ts", engine: null, seconds: 3 },
  ], 4);
  assert(
    total?.startsWith("10 s of processor time, 4 s of it in PostgreSQL and 2 s shared"),
    total,
  );
  assertEquals(files.map((line) => line.trim()), [
    "3.0  tests/b_test.ts",
    "1.0  tests/a_test.ts (postgres)",
  ]);
  assertEquals(describeCosts([], 0), []);
});
