/// <reference types="../../../src/console/web/logic/types.d.ts" />
/** Markdown as the console reads it; the examples follow the rules of CommonMark. */

import { assert, assertEquals } from "@std/assert";
import { parseMarkdown } from "../../../src/console/web/logic/markdown/blocks.js";
import { seededRandom } from "../../support/random.ts";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const FILE = `attachment:${ID}`;

/** Words with the name of each element before its content: `em(very)`. */
function wordsText(words: MarkdownWords): string {
  return words.map((word) => {
    if (typeof word === "string") return word;
    if (word.kind === "code") return `code(${word.text})`;
    const to = word.href ?? (word.file === undefined ? "" : "file");
    const name = word.kind === "emphasis" ? "em" : word.kind;
    return `${name}(${[wordsText(word.children), to].filter((part) => part !== "").join(" -> ")})`;
  }).join("");
}

function outline(blocks: readonly MarkdownBlock[]): string {
  return blocks.map((block) => {
    switch (block.kind) {
      case "paragraph":
        return wordsText(block.children);
      case "heading":
        return `h${block.level}(${wordsText(block.children)})`;
      case "list":
        return `${block.start === null ? "ul" : `ol${block.start}`}(${outline(block.children)})`;
      case "item":
        return `${block.checked === null ? "" : block.checked ? "[x]" : "[ ]"}${
          outline(block.children)
        }`;
      case "quote":
        return `quote(${outline(block.children)})`;
      case "code":
        return `pre(${block.text})`;
      case "grid":
        return `table(${
          [block.head, ...block.rows].map((row) => row.map(wordsText).join(",")).join("; ")
        })`;
      case "rule":
        return "rule";
      case "text":
        throw new Error("A text is not a block");
    }
  }).join(" / ");
}

const read = (text: string) => outline(parseMarkdown(text));

const CASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Paragraphs keep their line ends": {
    "One\ntwo\n\n  three  \nfour": "One\ntwo / three\nfour",
    "Windows\r\n\r\nand old": "Windows / and old",
    "a  \nb\\\nc": "a\nb\nc",
    "    Dear Anna,\n    thank you": "Dear Anna,\nthank you",
    "": "",
    " \n\t\n": "",
  },
  "Headings begin at the second level, and skip none": {
    "# One\n## Two\n### Three": "h2(One) / h3(Two) / h4(Three)",
    "### Deep\n# High\n###### Low": "h2(Deep) / h2(High) / h3(Low)",
    "#### a\n###### b\n##### c": "h2(a) / h3(b) / h3(c)",
    "# a\n## b\n### c\n#### d\n##### e\n###### f": "h2(a) / h3(b) / h4(c) / h5(d) / h6(e) / h6(f)",
    "## closed ##   ": "h2(closed)",
    "# with # sign#": "h2(with # sign#)",
    "#": "h2()",
    "#5 is no heading, ####### too": "#5 is no heading, ####### too",
    "Under\n=====\n\nlined\n---": "h2(Under) / h3(lined)",
    "> # in a quote\n\n# after": "quote(h2(in a quote)) / h2(after)",
  },
  "Emphasis nests, and stays text within words and between blanks": {
    "*a* _b_ **c** __d__": "em(a) em(b) strong(c) strong(d)",
    "***both***": "em(strong(both))",
    "**strong *and em* there**": "strong(strong em(and em) there)",
    "snake_case_name": "snake_case_name",
    "inter*nation*al": "interem(nation)al",
    "2 * 3 * 4": "2 * 3 * 4",
    "* a *": "ul(a *)",
    "**open": "**open",
    "*a**b*": "em(a**b)",
    "_a __b_ c__": "em(a em(em(b) c))",
    "\\*not\\* `*code*`": "*not* code(*code*)",
    "~~gone~~ ==marked==": "~~gone~~ ==marked==",
    "**„Zitat“** und *„mehr“*": "strong(„Zitat“) und em(„mehr“)",
  },
  "Code is shown as it is": {
    "`a` ``b ` c`` ` d": "code(a) code(b ` c) ` d",
    "` `` `": "code(``)",
    "```js\nlet a = 1;\n  *b*\n```\nafter": "pre(let a = 1;\n  *b*) / after",
    "~~~\n```\n~~~": "pre(```)",
    "```\nnever closed\n\n# a": "pre(never closed\n\n# a)",
    "- a\n  ```\n  b\n  ```": "ul(a / pre(b))",
    "> ```\n> a\nb": "quote(pre(a)) / b",
  },
  "Quotes and lists hold blocks": {
    "> a\nb\n> > c": "quote(a\nb / quote(c))",
    "> a\n\nb": "quote(a) / b",
    "- a\n- b\n\n- c\n* d": "ul(a / b / c) / ul(d)",
    "1. a\n2. b": "ol1(a / b)",
    "3) c\n4) d": "ol3(c / d)",
    "- a\n  - b\n    1. c\n  - d": "ul(a / ul(b / ol1(c) / d))",
    "1. a\n\n   b\n\n       c": "ol1(a / b / c)",
    "-\ta\n\t- b": "ul(a / ul(b))",
    "- a\nb\n\nc": "ul(a\nb) / c",
    "In 1998\n1999. a year": "In 1998\n1999. a year",
    "text\n- item": "text / ul(item)",
    "-\n  a\n-\n\n  b": "ul(a / ) / b",
    "-not an item, 1.neither": "-not an item, 1.neither",
    "- [ ] open\n- [x] done\n- [X] *too*": "ul([ ]open / [x]done / [x]em(too))",
    "- [] no box\n- [y] no box": "ul([] no box / [y] no box)",
    "* * *\n___\n- - -": "rule / rule / rule",
  },
  "Tables have one row for each line": {
    "|a|b|\n|-|:-:|\n|1|*2*|\n|3|": "table(a,b; 1,em(2); 3)",
    "a | b\n- | -\n1 | 2 | 3\n\nc": "table(a,b; 1,2,3) / c",
    "|a\\|b|\n|-|\n|`c`|": "table(a|b; code(c))",
    "|a|b|\n|-|": "|a|b|\n|-|",
    "| a |\n| - |\n# b": "table(a) / h2(b)",
  },
  "Only addresses of the web, and the account's files, are links": {
    "[a](https://example.org/b?c#d)": "link(a -> https://example.org/b?c#d)",
    '[*a* `b`](<http://example.org> "title")': "link(em(a) code(b) -> http://example.org/)",
    "see https://example.org/a_(b), (https://example.org/c).":
      "see link(https://example.org/a_(b) -> https://example.org/a_(b)), (link(https://example.org/c -> https://example.org/c)).",
    "<https://example.org> **https://example.org/a**":
      "link(https://example.org -> https://example.org/) strong(link(https://example.org/a -> https://example.org/a))",
    "https://example.org/?a\\b": "link(https://example.org/?a\\b -> https://example.org/?a%5Cb)",
    "[https://example.org](https://example.com)":
      "link(https://example.org -> https://example.com/)",
    "[a [b](https://b.example) c](https://a.example)":
      "[a link(b -> https://b.example/) c](link(https://a.example -> https://a.example/))",
    [`[report.pdf](${FILE}) ![the *lake*](${FILE} "t")`]:
      "link(report.pdf -> file) picture(the em(lake) -> file)",
    [`![](${FILE})`]: "picture(file)",
    [`[![a](${FILE})](https://example.org)`]: "link(picture(a -> file) -> https://example.org/)",
    "![elsewhere](https://example.org/a.png)": "link(elsewhere -> https://example.org/a.png)",
    "[a](javascript:alert(1)) [b](/console) [c](data:text/html,x) [d](mailto:a@example.org)":
      "[a](javascript:alert(1)) [b](/console) [c](data:text/html,x) [d](mailto:a@example.org)",
    "[a](//example.org) [b](attachment:x) [c](ftp://example.org)":
      "[a](//example.org) [b](attachment:x) [c](ftp://example.org)",
    [`[a](${FILE}x) ![b](${FILE.toLowerCase()})`]: `[a](${FILE}x) ![b](${FILE.toLowerCase()})`,
    "[a](https://) [b](http://[) xhttps://example.org":
      "[a](https://) [b](http://[) xhttps://example.org",
    "[a] [b][c] [d]: https://example.org":
      "[a] [b][c] [d]: link(https://example.org -> https://example.org/)",
  },
  "HTML and other signs are text": {
    "<b>a</b> <img src=x onerror=alert(1)>": "<b>a</b> <img src=x onerror=alert(1)>",
    "<script>\nalert(1)\n</script>": "<script>\nalert(1)\n</script>",
    "&lt;b&gt; &amp; [[a]] $x$ :smile: #tag": "&lt;b&gt; &amp; [[a]] $x$ :smile: #tag",
  },
  "Settings at the beginning are code": {
    "---\ntitle: A\naliases: [b]\n---\n# c": "pre(title: A\naliases: [b]) / h2(c)",
    "---\n\na\n---": "rule / h2(a)",
  },
};

for (const [name, cases] of Object.entries(CASES)) {
  Deno.test(name, () => {
    for (const [text, expected] of Object.entries(cases)) {
      assertEquals(read(text), expected, JSON.stringify(text));
    }
  });
}

function* randomTexts(count: number): Generator<string> {
  const signs = [..."*_`[]()!<>#-+|~\\\"'=1.x: \n\t"];
  const longer = ["\n\n", "    ", "**", "](", "![", "- ", "> ", "1. ", "y", "z", "```\n", "|-|\n"];
  const pieces = [...signs, ...longer, "[ ] ", `(${FILE})`, "---\n"];
  const { integer, pick } = seededRandom(58);
  for (let index = 0; index < count; index++) {
    yield Array.from({ length: integer(0, 60) }, () => pick(pieces)).join("");
  }
}

Deno.test("No letter of a text is lost, and headings skip no level", () => {
  const letters = (text: string) => text.replaceAll(/[^yz]/g, "");
  for (const text of randomTexts(3_000)) {
    const blocks = parseMarkdown(text);
    assertEquals(letters(plain(blocks)), letters(text), JSON.stringify(text));
    const levels = [...read(text).matchAll(/\bh([2-6])\(/g)].map(([, level]) => Number(level));
    let before = 1;
    for (const level of levels) {
      assert(level <= before + 1, JSON.stringify(text));
      before = level;
    }
  }
});

/** The text alone. */
function plain(blocks: readonly MarkdownBlock[]): string {
  const words = (some: MarkdownWords): string =>
    some.map((word) =>
      typeof word === "string" ? word : word.kind === "code" ? word.text : words(word.children)
    ).join("");
  return blocks.map((block) => {
    if (block.kind === "rule") return "";
    if (block.kind === "code") return block.text;
    if (block.kind === "grid") return [block.head, ...block.rows].flat().map(words).join("");
    return block.kind === "paragraph" || block.kind === "heading"
      ? words(block.children)
      : plain(block.children);
  }).join("");
}

Deno.test("Many signs take linear time, and nest at most twelve levels", () => {
  const size = 200_000;
  const signs = [
    "*",
    "[",
    ">",
    "|",
    "`",
    "> ",
    "- ",
    "* a\n",
    ">\n",
    "|\n",
    "*a",
    "*a ",
    "_a* ",
    "[a](",
    "[a](b",
    "![a](<b",
    '[a](https://b.c "',
    "https://a.b)",
    "<http://a",
    "`` ` ",
    "a_*b ",
    "#",
    "# #",
    "1. ",
    "\t- ",
    "\\",
    "~",
    "=\n",
  ];
  for (const sign of signs) {
    const begin = performance.now();
    const blocks = parseMarkdown(sign.repeat(size / sign.length));
    const ms = performance.now() - begin;
    // Linear time is below 0.1 s, quadratic time above a minute.
    assert(ms < 3_000, `${JSON.stringify(sign)}: ${ms} ms`);
    assert(depthOf(blocks) <= 30, sign);
  }
});

function depthOf(trees: readonly (MarkdownBlock | MarkdownWord)[]): number {
  const depths = trees.map((tree) =>
    typeof tree === "string" ? 0 : 1 + depthOf("children" in tree ? tree.children : [])
  );
  return depths.reduce((most, depth) => Math.max(most, depth), 0);
}

Deno.test("Signs that differ in each line take linear time, too", () => {
  const rows = Array.from({ length: 700 }, (_, index) => index);
  const texts = [
    rows.map((index) => `${" ".repeat(index)}- a`).join("\n"),
    rows.map((index) => `${">".repeat(index)} a`).join("\n"),
    rows.map((index) => `a${"`".repeat(index)}`).join(""),
    `${"_a ".repeat(40_000)}${"_b* c_ ".repeat(20_000)}`,
    `${"[".repeat(100_000)}${"[a](https://b.c) ".repeat(10_000)}`,
    `${"![".repeat(20_000)}${`](${FILE})`.repeat(20_000)}`,
    `${"|a".repeat(10_000)}|\n${"|-".repeat(10_000)}|\n${"x\n".repeat(100_000)}`,
    `a|b\n|-${" ".repeat(300_000)}x`,
    `*${" ".repeat(300_000)}x`,
  ];
  for (const text of texts) {
    const begin = performance.now();
    parseMarkdown(text);
    assert(performance.now() - begin < 3_000, text.slice(0, 20));
  }
});
