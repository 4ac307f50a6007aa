import { assertEquals } from "@std/assert";
import { isHost, ownAddress } from "../../../src/core/loopback.ts";

const OWN = {
  "127.0.0.1": "127.0.0.1",
  "127.0.0.2": "127.0.0.2",
  "10.0.0.4": "10.0.0.4",
  "0.0.0.0": "127.0.0.1",
  "0": "127.0.0.1",
  "::": "[::1]",
  "0:0:0:0:0:0:0:0": "[::1]",
  "::1": "[::1]",
  "fd00::4": "[fd00::4]",
  "localhost": "localhost",
  "app.lan": "app.lan",
};

Deno.test("ownAddress() is where this machine reaches a server that listens on HOST", () => {
  for (const [host, address] of Object.entries(OWN)) {
    assertEquals([isHost(host), ownAddress(host)], [true, address], host);
  }
});

Deno.test("isHost() rejects what is neither an address nor a name", () => {
  for (
    const text of ["", "a b", "a..b", "127.0.0.1:8000", "999.1.1.1", "[::1]", "http://a", "a/b"]
  ) {
    assertEquals(isHost(text), false, text);
  }
});
