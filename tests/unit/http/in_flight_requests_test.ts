import { assertEquals, assertRejects } from "@std/assert";
import { ServiceError } from "../../../src/errors/service_error.ts";
import { InFlightRequests, type RequestKind } from "../../../src/http/in_flight_requests.ts";

/** Runs until released. */
function hold(requests: InFlightRequests, kind: RequestKind = "protected") {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { answer: requests.run(kind, () => promise), finish: () => resolve("done"), fail: reject };
}

async function refusalOf(
  requests: InFlightRequests,
  kind: RequestKind = "protected",
): Promise<ServiceError> {
  return await assertRejects(() => requests.run(kind, () => Promise.resolve()), ServiceError);
}

Deno.test("InFlightRequests runs up to its limit, and rejects the next immediately", async () => {
  const requests = new InFlightRequests(2);
  const [first, second] = [hold(requests), hold(requests)];
  assertEquals(requests.count, 2);
  const { code, headers } = await refusalOf(requests);
  assertEquals([code, headers], ["HTTP_503", {}]);
  first.finish();
  assertEquals(await first.answer, "done");
  assertEquals(await requests.run("protected", () => Promise.resolve("served")), "served");
  second.fail(new Error("failed"));
  await assertRejects(() => second.answer, Error, "failed");
  assertEquals(requests.count, 0);
});

Deno.test("InFlightRequests that drain accept nothing, and end with the last", async () => {
  const requests = new InFlightRequests(2);
  const { answer, finish } = hold(requests);
  let isDrained = false;
  const drained = requests.drain().then(() => isDrained = true);
  const { code, headers } = await refusalOf(requests);
  assertEquals([code, headers], ["HTTP_503", { Connection: "close" }]);
  assertEquals([requests.isDraining, isDrained], [true, false]);
  finish();
  assertEquals(await answer, "done");
  await drained;
  // The same promise.
  await requests.drain();
});

Deno.test("InFlightRequests without a request are drained immediately", async () => {
  await new InFlightRequests(1).drain();
});

Deno.test("InFlightRequests reserve places for known addresses", async () => {
  const requests = new InFlightRequests(8);
  const strangers = [hold(requests, "stranger"), hold(requests, "stranger")];
  assertEquals((await refusalOf(requests, "stranger")).code, "HTTP_503");
  assertEquals(await requests.run("known", () => Promise.resolve("served")), "served");
  for (const { finish } of strangers) finish();
});

Deno.test("InFlightRequests leave strangers a quarter of the places, at least one", async () => {
  for (const [most, strangers] of [[8, 2], [7, 1], [4, 1], [1, 1]] as const) {
    const requests = new InFlightRequests(most);
    for (let count = 0; count < strangers; count++) hold(requests, "stranger");
    assertEquals((await refusalOf(requests, "stranger")).code, "HTTP_503");
    for (let count = strangers; count < most; count++) hold(requests);
    assertEquals((await refusalOf(requests)).code, "HTTP_503");
  }
});

Deno.test("InFlightRequests accept strangers into no place that others hold", async () => {
  const requests = new InFlightRequests(4);
  for (let count = 0; count < 4; count++) hold(requests);
  assertEquals((await refusalOf(requests, "stranger")).code, "HTTP_503");
});

Deno.test("InFlightRequests have separate places for uploads", async () => {
  const requests = new InFlightRequests(4);
  const upload = hold(requests, "upload");
  assertEquals((await refusalOf(requests, "upload")).code, "HTTP_503");
  const others = [1, 2, 3, 4].map(() => hold(requests));
  assertEquals(requests.count, 5);
  for (const { finish } of others) finish();
  let isDrained = false;
  const drained = requests.drain().then(() => isDrained = true);
  await Promise.all(others.map(({ answer }) => answer));
  assertEquals(isDrained, false);
  upload.finish();
  await drained;
});

Deno.test("InFlightRequests leave others a quarter, whatever one account holds", async () => {
  const requests = new InFlightRequests(64);
  const release = Promise.withResolvers<void>();
  const wait = () => release.promise;
  const running = ["SESSION ada", "TOKEN ada"].flatMap((holder) =>
    Array.from({ length: 24 }, () => requests.run("protected", wait, holder))
  );
  for (const holder of ["SESSION ada", "TOKEN ada"]) {
    const { code, headers } = await assertRejects(
      () => requests.run("protected", wait, holder),
      ServiceError,
    );
    assertEquals([code, headers["Retry-After"]], ["HTTP_429", "1"]);
  }
  running.push(
    ...Array.from({ length: 15 }, () => requests.run("protected", wait, "SESSION ben")),
    requests.run("stranger", wait),
  );
  const full = await assertRejects(
    () => requests.run("protected", wait, "SESSION ada"),
    ServiceError,
  );
  assertEquals([full.code, requests.count], ["HTTP_503", 64]);
  release.resolve();
  await Promise.all(running);
  assertEquals(await requests.run("protected", () => Promise.resolve(1), "SESSION ada"), 1);
});

Deno.test("InFlightRequests count a request for its account once that is known", async () => {
  const requests = new InFlightRequests(64);
  const release = Promise.withResolvers<void>();
  const identified = () =>
    requests.run("protected", async (place) => {
      place.belongTo("SESSION ada");
      place.belongTo("SESSION ada");
      await release.promise;
    });
  const running = Array.from({ length: 24 }, identified);
  assertEquals((await assertRejects(identified, ServiceError)).code, "HTTP_429");
  assertEquals(requests.count, 24);
  release.resolve();
  await Promise.all(running);
  await identified();
});
