import { assertEquals, assertRejects } from "@std/assert";
import { ServiceError } from "../../../src/errors/service_error.ts";
import { AccountPlaces } from "../../../src/http/account_places.ts";

Deno.test("AccountPlaces bounds each account by itself", async () => {
  const places = new AccountPlaces(1);
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = places.run("a", () => promise);
  const refused = await assertRejects(() => places.run("a", () => promise), ServiceError);
  assertEquals(refused.code, "HTTP_429");
  assertEquals(await places.run("b", () => Promise.resolve("another")), "another");
  resolve("done");
  assertEquals(await first, "done");
  assertEquals(await places.run("a", () => Promise.resolve("again")), "again");
});

Deno.test("AccountPlaces gets a place back from what fails", async () => {
  const places = new AccountPlaces(2);
  for (let times = 0; times < 3; times++) {
    await assertRejects(() => places.run("a", () => Promise.reject(new Error("failed"))), Error);
  }
});
