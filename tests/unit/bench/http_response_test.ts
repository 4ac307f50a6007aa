import { assertEquals, assertThrows } from "@std/assert";
import { answerLength, readHead } from "../../../scripts/bench/http_response.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Bytes until complete; null for never. */
function wholeAfter(text: string): number | null {
  const bytes = bytesOf(text);
  for (let count = 0; count <= bytes.length; count++) {
    const come = bytes.subarray(0, count);
    const head = readHead(come);
    if (head !== null && answerLength(come, head) !== null) return count;
  }
  return null;
}

Deno.test("A response with a length is complete with its last byte", () => {
  const answer = (length: number) =>
    `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\nz\r\n\r\nä`;
  const bytes = bytesOf(answer(7)).length;
  assertEquals([6, 7, 8].map((length) => wholeAfter(answer(length))), [bytes - 1, bytes, null]);
});

Deno.test("A response in chunks is complete with the empty chunk", () => {
  const answer = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" +
    "4\r\n0\r\n\r\r\nA;name=value\r\n0123456789\r\n0\r\n\r\n";
  assertEquals(wholeAfter(answer), bytesOf(answer).length);
  assertEquals(wholeAfter(answer.slice(0, -5)), null);
});

Deno.test("Unsupported responses are rejected", () => {
  assertThrows(() => readHead(bytesOf("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n")));
  assertThrows(() => readHead(bytesOf("HTTP/1.1 200 OK\r\nServer: x\r\n\r\n")));
});
