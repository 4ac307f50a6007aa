import { assertEquals } from "@std/assert";
import { align } from "../../bench/report_lines.ts";

Deno.test("align() makes columns as wide as their widest cell", () => {
  assertEquals(align([["a", "req/s", ""], ["create", "1,000", "x"], ["get", "7", ""]]), [
    "a       req/s",
    "create  1,000  x",
    "get         7",
  ]);
});
