import { assertEquals, assertThrows } from "@std/assert";
import { assertSnapshot } from "../../support/snapshot.ts";

function messageOf(present: string, written: string): string {
  return assertThrows(() => assertSnapshot("a.txt", present, written), Error).message;
}

const HEAD = "a.txt differs. If you meant to change it: deno task snapshot";

Deno.test("assertSnapshot() accepts equal texts", () =>
  assertSnapshot("a.txt", "a\nb\n", "a\nb\n"));

Deno.test("assertSnapshot() shows the lines that differ, the command, and nothing else", () => {
  const written = Array.from({ length: 9_000 }, (_, index) => `line ${index}`);
  const present = written.with(4_000, "another").toSpliced(10, 0, "new");
  assertEquals(
    messageOf(present.join("\n"), written.join("\n")),
    `${HEAD}\n- 4001: line 4000\n+ 11: new\n+ 4002: another`,
  );
  assertEquals(messageOf("a\na\nb", "a\nb"), `${HEAD}\n+ 2: a`);
  assertEquals(messageOf("b\na", "a\nb"), `${HEAD}\nThe lines are the same in another order.`);
});

Deno.test("assertSnapshot() counts what it does not show", () => {
  const lines = Array.from({ length: 100 }, (_, index) => `${index}`).join("\n");
  const shown = messageOf("", lines).split("\n");
  assertEquals([shown.length, shown[21]], [23, "… and 80 more"]);
});
