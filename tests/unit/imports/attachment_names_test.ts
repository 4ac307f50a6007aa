/** Names of files in texts, and the identifiers that replace them. */

import { assertEquals } from "@std/assert";
import { withAttachments } from "../../../src/imports/attachment_names.ts";

Deno.test("The longest name of a file after the scheme is replaced, and nothing else", () => {
  const ids = new Map([["a", "1"], ["a.png", "2"], ["a.p", "3"], ["b/ü.png", "4"]]);
  const replaced = (text: string) => withAttachments({ list: [{ text }], n: 1 }, ids);
  for (
    const [text, expected] of [
      ["![](attachment:a.png)", "![](attachment:2)"],
      [
        "attachment:a.pn attachment:a attachment:b/ü.png",
        "attachment:3n attachment:1 attachment:4",
      ],
      ["attachment:attachment:a", "attachment:1ttachment:a"],
      ["attachment:b attachment: a.png", "attachment:b attachment: a.png"],
    ] as const
  ) {
    assertEquals(replaced(text), { list: [{ text: expected }], n: 1 });
  }
});
