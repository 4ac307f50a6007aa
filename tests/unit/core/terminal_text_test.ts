import { assertEquals } from "@std/assert";
import { escapeControls } from "../../../src/core/terminal_text.ts";

const RANGES = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x061c, 0x061c],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
] as const;

Deno.test("escapeControls() escapes controls and marks of direction, and nothing else", () => {
  for (let code = 0; code <= 0xffff; code++) {
    const unit = String.fromCharCode(code);
    const isControl = RANGES.some(([first, last]) => code >= first && code <= last);
    const escape = `\\u${code.toString(16).padStart(4, "0")}`;
    assertEquals(escapeControls(`a${unit}b`), `a${isControl ? escape : unit}b`);
  }
  assertEquals(escapeControls("a\tb\n🙂"), "a\tb\n🙂");
});

Deno.test("escapeControls() keeps the meaning of JSON", () => {
  const all = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).join("");
  const json = escapeControls(JSON.stringify({ [all]: [all] }, null, 2));
  assertEquals(JSON.parse(json), { [all]: [all] });
});
