import { assertEquals } from "@std/assert";
import { createHostTest } from "../../../src/http/host.ts";

const LOOPBACK = [
  "localhost",
  "prs.localhost",
  "a.b.localhost",
  "127.0.0.1",
  "127.8.9.10",
  "[::1]",
];
const FOREIGN = [
  ..."evil.example localhost.example evil.records.example records.example.evil.example".split(" "),
  ..."notlocalhost .localhost localhost. records.example. 127.evil.example".split(" "),
  ..."128.0.0.1 0.0.0.0 [::] [::2] 192.168.1.5 [::ffff:7f00:1]".split(" "),
  "",
];

Deno.test("createHostTest() accepts the public origin, loopback and added names", () => {
  const isServed = createHostTest("https://records.example:8443", ["records.lan", "[fd00::1]"]);
  for (const name of ["records.example", "records.lan", "[fd00::1]", ...LOOPBACK]) {
    assertEquals(isServed(name), true, name);
  }
  for (const name of FOREIGN) assertEquals(isServed(name), false, name);
});

Deno.test("createHostTest() accepts only loopback's names by default", () => {
  const isServed = createHostTest("http://localhost:8000", []);
  for (const name of LOOPBACK) assertEquals(isServed(name), true, name);
  for (const name of ["records.example", ...FOREIGN]) assertEquals(isServed(name), false, name);
});
