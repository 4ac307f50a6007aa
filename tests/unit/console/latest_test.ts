import { assertEquals, assertRejects } from "@std/assert";
import { latest } from "../../../src/console/web/core/acts/typing.js";

/** Asks as a box does that is typed into; the test answers. */
function createBox() {
  const answers = new Map<string, PromiseWithResolvers<string>>();
  const seen: (string | boolean)[] = [];
  const ask = latest(
    (question: string) => {
      const answer = Promise.withResolvers<string>();
      answers.set(question, answer);
      return answer.promise;
    },
    (answer) => seen.push(answer),
    (isWaiting) => seen.push(isWaiting),
  );
  return { ask, seen, of: (question: string) => answers.get(question) ?? never() };
}

function never(): never {
  throw new Error("Nobody asked this");
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("Answers and failures of earlier questions are dropped", async () => {
  const { ask, seen, of } = createBox();
  const asked = ["a", "an", "ann"].map((question) => ask(question));
  of("ann").resolve("Anna");
  of("an").resolve("Andrew");
  of("a").reject(new Error("too slow"));
  await Promise.all(asked);
  assertEquals(seen, ["Anna"]);
  const last = ask("b");
  of("b").reject(new Error("broken"));
  await assertRejects(() => last, Error, "broken");
  const dropped = ask("c");
  ask.cancel();
  of("c").resolve("Clara");
  await dropped;
  assertEquals(seen, ["Anna"]);
});

Deno.test("A question waits 300 ms before that is said, until the last answer", async () => {
  const { ask, seen, of } = createBox();
  const first = ask("a");
  await wait(200);
  assertEquals(seen, []);
  await wait(150);
  const second = ask("an");
  await wait(350);
  assertEquals(seen, [true]);
  of("an").resolve("Anna");
  of("a").resolve("Andrew");
  await Promise.all([first, second]);
  assertEquals(seen, [true, false, "Anna"]);
});
