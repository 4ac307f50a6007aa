import { assert, assertEquals } from "@std/assert";
import { fileName } from "../../../src/portability/markdown/file_name.ts";
import { seededRandom } from "../../support/random.ts";

function bytesOf(name: string): number {
  return new TextEncoder().encode(name).length;
}

Deno.test("fileName() keeps a usual name", () => {
  const usual = [
    "photo.jpg",
    "The lake",
    "Letter to Åsa (2).tar.gz",
    "漢字.pdf",
    "👨‍👩‍👧.png",
    "a-b_c.d~",
    "contract.docx",
    "console.log",
    "nullable",
    "com10.txt",
    "x".repeat(254),
  ];
  for (const name of usual) assertEquals(fileName(name), name);
});

Deno.test("fileName() makes a hostile name safe", () => {
  const cases: [string, string][] = [
    ["../../etc/passwd", "_.._.._etc_passwd"],
    ["..", "_"],
    [".", "_"],
    ["", "_"],
    [" . ", "_"],
    ["/etc/passwd", "_etc_passwd"],
    ["C:\\Windows\\x", "C__Windows_x"],
    [".htaccess", "_.htaccess"],
    ["-rf", "_-rf"],
    ["~root", "_~root"],
    ["a\nb\u0000c\u007f", "a_b_c_"],
    ["photo\u202egpj.exe", "photo_gpj.exe"],
    ["CON", "_CON"],
    ["nul.txt", "_nul.txt"],
    ["Aux .txt", "_Aux .txt"],
    ["COM1.tar.gz", "_COM1.tar.gz"],
    ["lpt³", "_lpt³"],
    ["trailing. . ", "trailing"],
    ["  leading", "leading"],
    ['a<b>c:d"e|f?g*h', "a_b_c_d_e_f_g_h"],
  ];
  for (const [text, name] of cases) assertEquals(fileName(text), name, JSON.stringify(text));
});

Deno.test("fileName() cuts between characters and keeps a short ending", () => {
  assertEquals(fileName(`${"x".repeat(300)}.jpeg`), `${"x".repeat(250)}.jpeg`);
  assertEquals(fileName("🪜".repeat(100), 43), "🪜".repeat(10));
  assertEquals(fileName(`${"é".repeat(200)}.md`, 20), `${"é".repeat(8)}.md`);
  assertEquals(bytesOf(fileName(`a.${"b".repeat(300)}`)), 255);
});

Deno.test("fileName() returns a safe name for any text, and is idempotent", () => {
  const random = seededRandom(5);
  const pieces = [
    ...".. con NUL .jpg".split(" "),
    ..."/\\\0\n. -~é漢🪜\u202ea\u00a0\ufeff\u0085:*",
    "x".repeat(60),
  ];
  for (let round = 0; round < 5_000; round++) {
    const text = Array.from({ length: random.integer(0, 12) }, () => random.pick(pieces)).join("");
    const most = random.pick([30, 120, 255]);
    const name = fileName(text, most);
    const label = JSON.stringify([text, name]);
    assert(name !== "" && bytesOf(name) <= most, label);
    assert(!/[\p{Cc}<>:"/\\|?*\u202a-\u202e]|^[.\s-]|[.\s]$/u.test(name), label);
    assert(!/^(con|nul)\s*(\.|$)/i.test(name), label);
    assertEquals(fileName(name, most), name, label);
  }
});
