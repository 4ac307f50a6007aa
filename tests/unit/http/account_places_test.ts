import { assertEquals, assertRejects } from "@std/assert";
import type { Caller } from "../../../src/access/identity.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";
import { AccountPlaces } from "../../../src/http/account_places.ts";

function identity(accountId: string, kind: "SESSION" | "TOKEN" = "SESSION"): Caller {
  const account = { accountId, email: "", displayName: "", role: "OWNER", createdAt: "" } as const;
  return { account, credential: { kind, id: "1", expiresAt: "" }, permissions: new Set() };
}

Deno.test("AccountPlaces limits each account separately", async () => {
  const places = new AccountPlaces(1);
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = places.run(identity("a"), () => promise);
  const refused = await assertRejects(() => places.run(identity("a"), () => promise), ServiceError);
  assertEquals(refused.code, "HTTP_429");
  assertEquals(await places.run(identity("b"), () => Promise.resolve("another")), "another");
  resolve("done");
  assertEquals(await first, "done");
  assertEquals(await places.run(identity("a"), () => Promise.resolve("again")), "again");
});

Deno.test("AccountPlaces frees the place of failed work", async () => {
  const places = new AccountPlaces(2);
  for (let times = 0; times < 3; times++) {
    await assertRejects(
      () => places.run(identity("a"), () => Promise.reject(new Error("failed"))),
      Error,
    );
  }
});

Deno.test("AccountPlaces of an account's tokens leave its sessions theirs", async () => {
  const places = new AccountPlaces(1);
  const { promise, resolve } = Promise.withResolvers<string>();
  const token = places.run(identity("a", "TOKEN"), () => promise);
  assertEquals(await places.run(identity("a"), () => Promise.resolve("served")), "served");
  resolve("done");
  assertEquals(await token, "done");
});
