/** Front matter: each member is read by itself. */

import { assert, assertEquals } from "@std/assert";
import { readFrontMatter } from "../../../../src/imports/converters/front_matter.ts";

/** Members by name; undefined if one cannot be read. Null if lines belong to no member. */
function read(block: string, end = "---") {
  const matter = readFrontMatter(`---\n${block}\n${end}\nBody`);
  assert(matter?.rest === "Body");
  return matter.isMap ? matter.members.map(({ name, value }) => [name, value]) : null;
}

const BLOCKS: readonly [block: string, ...members: (readonly [string, unknown])[]][] = [
  ["a: b\na: c", ["a", "b"], ["a", "c"]],
  ["a: {{date}}\nb:\n  c: d\ne: f", ["a", undefined], ["b", undefined], ["e", "f"]],
  ["a: &x b\n<<: *x\n__proto__: c", ["a", undefined], ["<<", undefined], ["__proto__", "c"]],
  ["a: b: c\n'd e': 1", ["a", undefined], ["d e", 1]],
  ["a: #one #two\nb: c # no", ["a", "#one #two"], ["b", "c"]],
  ["a: # of b\n  # more\n  - #one\n  - two # no", ["a", ["#one", "two"]]],
  ["a: [#one, #two three, 'four, five']", ["a", ["#one", "#two three", "four, five"]]],
  ["a: [\n  one two, # no\n\n  3,\n]\nb:\n  [\n  #c\n  ]", ["a", ["one two", 3]], ["b", ["#c"]]],
  ["a: [b, c\nd: e", ["a", undefined], ["d", "e"]],
  ["a: [b #c, d]\ne: [f,, g]\nh: [[i], [j]]", ["a", undefined], ["e", undefined], ["h", undefined]],
  ["a: [[b, c]] # no\nd:\n- [[e]]\nf: [ [[g]], h]", ["a", "[[b, c]]"], ["d", ["[[e]]"]], [
    "f",
    ["[[g]]", "h"],
  ]],
  ["a: |\n  b\n\n  c\n\n# no\nd: >\n  e\n  f\n", ["a", "b\n\nc"], ["d", "e f"]],
  ["a: |+\n  b\n\nc: |-\n  d", ["a", "b\n"], ["c", "d"]],
  ["a:\n  -b\n  -c\nd:\n  - e\n  -f", ["a", undefined], ["d", undefined]],
  ['a: b\n  c d\ne: "f\n  g"\nh: i\n  - j', ["a", "b c d"], ["e", "f g"], ["h", undefined]],
  ["a: >\n  b\n    c\n\n  d\n  e", ["a", "b\n  c\n\nd e"]],
  ["# nothing"],
];

Deno.test("Each member of front matter is read by itself", () => {
  for (const [block, ...members] of BLOCKS) assertEquals<unknown>(read(block), members, block);
  assertEquals(read("a: b", "..."), [["a", "b"]]);
  assertEquals(read("Words\na: b"), null);
  assertEquals(readFrontMatter("---\na: b\n....\n"), null);
});
