// engines: postgres
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  checkServerSecret,
  readOrMakeSecret,
  ServerSecretError,
} from "../../../src/access/server_secret.ts";
import { createWorld } from "../../support/world.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("readOrMakeSecret() makes a secret once that only its user can read", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const secret = await readOrMakeSecret(folder);
    assertMatch(secret, /^[A-Za-z0-9_-]{43}$/);
    assertEquals(await readOrMakeSecret(folder), secret);
    const { mode } = await Deno.stat(`${folder}/server_secret`);
    assertEquals((mode ?? 0) & 0o777, 0o600);
    const names = await Array.fromAsync(Deno.readDir(folder), (entry) => entry.name);
    assertEquals(names, ["server_secret"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("readOrMakeSecret() starts over after a crash left half a secret", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/server_secret.new`, "half of a sec");
    assertMatch(await readOrMakeSecret(folder), /^[A-Za-z0-9_-]{43}$/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("readOrMakeSecret() throws if the file cannot be read, instead of making another", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/server_secret`);
    await assertRejects(() => readOrMakeSecret(folder));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("checkServerSecret() ties a database to its first secret", async () => {
  await using world = await createWorld();
  await Promise.all([1, 2, 3].map(() => checkServerSecret(world.database, bytes("the secret"))));
  await checkServerSecret(world.database, bytes("the secret"));
  await assertRejects(
    () => checkServerSecret(world.database, bytes("another secret")),
    ServerSecretError,
  );
  await checkServerSecret(world.database, bytes("the secret"));
  const rows = await world.rows(
    "select encode(check_value, 'escape') as value from server_secret_check",
  );
  assertEquals(rows.length, 1);
  assertEquals(rows[0].value.includes("the secret"), false);
});
