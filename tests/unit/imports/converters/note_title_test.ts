/** Titles that are made from texts. */

import { assertEquals } from "@std/assert";
import {
  firstHeadingOf,
  headingOf,
  titleOf,
} from "../../../../src/imports/converters/note_title.ts";

type Titles = readonly (readonly [text: string, title: string | null])[];

/** Tests each text under its own name, which shows line ends. */
function table(name: string, titles: Titles, read: (text: string) => string | null): void {
  for (const [text, title] of titles) {
    Deno.test(`${name}: ${JSON.stringify(text)}`, () => assertEquals(read(text), title));
  }
}

table("Marks of blocks are no words", [
  ["# Heading", "Heading"],
  ["### Heading ###\n", "Heading"],
  ["#boats are old", "boats are old"],
  ["# C#", "C#"],
  ["## C##x", "C##x"],
  ["# 1. Intro", "1. Intro"],
  ["> quoted", "quoted"],
  ["> - ## Deep", "Deep"],
  ["- one", "one"],
  ["* one", "one"],
  ["+ one", "one"],
  ["1. one", "one"],
  ["12) one", "one"],
  ["2024 was long", "2024 was long"],
  ["- [ ] oats", "oats"],
  ["- [x] oats", "oats"],
  ["[X] oats", "oats"],
  ["-5 degrees", "-5 degrees"],
  ["\ufeff# Marked", "Marked"],
], titleOf);

table("Marks in a line are no words", [
  ["**bold** and *it*", "bold and it"],
  ["***both***", "both"],
  ["**a *b* c**", "a b c"],
  ["__new__ _it_", "new it"],
  ["~~old~~ ==new==", "old new"],
  ["`code` and `` a`b ``", "code and a`b"],
  ["`*a* \\* [b](c)`", "*a* \\* [b](c)"],
  ["snake_case_name", "snake_case_name"],
  ["2 * 3 * 4", "2 * 3 * 4"],
  ["2 \\* 3 \\_ 4", "2 * 3 _ 4"],
  ["\\(Draft\\) 1\\.2\\-beta\\!", "(Draft) 1.2-beta!"],
  ["\\# no heading", "# no heading"],
  ["C:\\files", "C:\\files"],
  ["**open", "**open"],
  ["*a**b*", "a**b"],
  ["src/**/*.md", "src/**/*.md"],
  ["a == b ~ c", "a == b ~ c"],
], titleOf);

table("Links are their words, embeds and tags nothing", [
  ["[The lake](https://example.org) in May", "The lake in May"],
  ["[a [b] c](u(v)w)", "a [b] c"],
  ["[**bold**](a)", "bold"],
  ["[words] (aside)", "[words] (aside)"],
  ["[words](open", "[words](open"],
  ["[[Boat|the boat]] is old", "the boat is old"],
  ["[[Boat]] again", "Boat again"],
  ["![](x.png) Words", "Words"],
  ["Look ![x](y.png) here", "Look here"],
  ["*a ![*b](y.png) c*", "a c"],
  ["[![x](y.png)](z)\nWords", "Words"],
  ["![[x.png]]\n\nWords", "Words"],
  ['<img src="x.png"> Photo', "Photo"],
  ["<b>Bold</b><br/>", "Bold"],
  ["<!-- a > b --> Words", "Words"],
  ["a < b > c <d", "a < b > c <d"],
  ["<https://example.org/a_b_c>", "https://example.org/a_b_c"],
  ["Mail <ana@example.org>", "Mail ana@example.org"],
], titleOf);

table("The first line with words is the title", [
  ["", null],
  ["\n \n---\n***\n* * *\n> \n#\n\n", null],
  ["---\r\n\r\nAfter a line\r\nMore", "After a line"],
  ["First\rsecond", "First"],
  ["First\rsecond\nthird", "First second"],
  ["🎉", "🎉"],
  ["a\u0007b \ud800", "a b \ufffd"],
  ["```js\ncode\n```\nWords", "Words"],
  ["~~~\n# code\n~~~", "code"],
  ["x".repeat(300), "x".repeat(300)],
], titleOf);

table("The first heading", [
  ["Before\n\n## How to *row* ##\n# Later", "How to row"],
  ["```\n# code\n```\n#tag\n####### seven", null],
  ["````\n```\n# code\n```\n````\n# After", "After"],
  ["# \n# Second", "Second"],
  ["> # Quoted", null],
  ["Words\n\nThe *lake*\n===\n\n# Later", "The lake"],
  ["The pier\r\n--- \r\nWords", "The pier"],
  ["Two lines\nand a rule\n---\n# Later", "Later"],
  ["\n---\ntitle: Lake\n---\nWords", null],
  ["- item\n---\n\n---\n```\ncode\n---\n```", null],
], headingOf);

table("A heading at the beginning", [
  ["\n# The *lake*\n# Pier", "The lake"],
  ["## Second level", null],
  ["```\n# code\n```", null],
  ["Words\n# Later", null],
  ["# ", null],
], firstHeadingOf);
