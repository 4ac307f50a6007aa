import { assertEquals, assertRejects } from "@std/assert";
import { ServiceError } from "../../../src/errors/service_error.ts";
import { RunningRequests } from "../../../src/http/running_requests.ts";

/** A request that runs until it is let go. */
function hold(requests: RunningRequests) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { answer: requests.run(() => promise), finish: () => resolve("done"), fail: reject };
}

async function refusalOf(requests: RunningRequests): Promise<ServiceError> {
  return await assertRejects(() => requests.run(() => Promise.resolve()), ServiceError);
}

Deno.test("RunningRequests runs as many as it may, and turns the next away at once", async () => {
  const requests = new RunningRequests(2);
  const [first, second] = [hold(requests), hold(requests)];
  assertEquals(requests.count, 2);
  const { code, headers } = await refusalOf(requests);
  assertEquals([code, headers], ["HTTP_503", {}]);
  first.finish();
  assertEquals(await first.answer, "done");
  assertEquals(await requests.run(() => Promise.resolve("served")), "served");
  second.fail(new Error("failed"));
  await assertRejects(() => second.answer, Error, "failed");
  assertEquals(requests.count, 0);
});

Deno.test("RunningRequests that drain take nothing new, and end with the last", async () => {
  const requests = new RunningRequests(2);
  const { answer, finish } = hold(requests);
  let isDrained = false;
  const drained = requests.drain().then(() => isDrained = true);
  const { code, headers } = await refusalOf(requests);
  assertEquals([code, headers], ["HTTP_503", { Connection: "close" }]);
  assertEquals([requests.isDraining, isDrained], [true, false]);
  finish();
  assertEquals(await answer, "done");
  await drained;
  // Whoever asks again is told the same.
  await requests.drain();
});

Deno.test("RunningRequests without a request are drained at once", async () => {
  await new RunningRequests(1).drain();
});
