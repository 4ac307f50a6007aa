import { assertEquals, assertNotEquals } from "@std/assert";
import { createSecretCipher } from "../../../src/accounts/secret_cipher.ts";

const ACCOUNT = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const SECRET = Uint8Array.from({ length: 20 }, (_, index) => index);
const cipher = createSecretCipher(new TextEncoder().encode("a server secret that only tests know"));

const bytes = (array: Uint8Array | null) => array && [...array];

Deno.test("decrypt() returns what encrypt() hid", () => {
  const encrypted = cipher.encrypt(ACCOUNT, SECRET);
  assertEquals(encrypted.length, SECRET.length + 28);
  assertEquals(Uint8Array.from(encrypted).toHex().includes(SECRET.toHex()), false);
  assertEquals(bytes(cipher.decrypt(ACCOUNT, encrypted)), [...SECRET]);
});

Deno.test("encrypt() never writes the same bytes twice", () => {
  assertNotEquals(cipher.encrypt(ACCOUNT, SECRET), cipher.encrypt(ACCOUNT, SECRET));
});

Deno.test("decrypt() rejects another account, another server secret, or changed bytes", () => {
  const encrypted = cipher.encrypt(ACCOUNT, SECRET);
  assertEquals(cipher.decrypt("01ARZ3NDEKTSV4RRFFQ69G5FAW", encrypted), null);
  const other = createSecretCipher(new TextEncoder().encode("another server secret"));
  assertEquals(other.decrypt(ACCOUNT, encrypted), null);
  for (let index = 0; index < encrypted.length; index++) {
    const changed = Uint8Array.from(encrypted);
    changed[index] = (changed[index] ?? 0) ^ 1;
    assertEquals(cipher.decrypt(ACCOUNT, changed), null, `byte ${index}`);
  }
  for (const length of [0, 11, 12, 27, 28, encrypted.length - 1]) {
    assertEquals(cipher.decrypt(ACCOUNT, encrypted.slice(0, length)), null, `${length} bytes`);
  }
});
