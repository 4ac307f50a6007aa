/** HTML and ENML become Markdown, also markup that is not well-formed, and no word is lost. */

import { assert, assertEquals } from "@std/assert";
import {
  htmlToMarkdown,
  type MarkupOptions,
} from "../../../../src/imports/converters/markup/html_markdown.ts";
import { MAX_MARKDOWN } from "../../../../src/imports/converters/markup/markdown_lines.ts";
import { seededRandom } from "../../../support/random.ts";

const turn = () => Promise.resolve();

async function markdownOf(html: string, options: Partial<MarkupOptions> = {}): Promise<string> {
  return (await htmlToMarkdown(html, { turn, ...options })).text;
}

/** Texts by the markup that becomes them. */
const TEXTS: Readonly<Record<string, string>> = {
  "<div>a</div>\n<div>b<br/></div>c<br>d": "a\nb\nc\nd",
  "<div>a</div><div><br/></div><div><br/></div><div>b</div><br><br>": "a\n\nb",
  "x<p>a<p>b<br>c</p></p>y": "x\n\na\n\nb\nc\n\ny",
  "a<h1>T<br>t</h1><h6><i>U</i></h6>b": "a\n\n# T t\n\n###### *U*\n\nb",
  "a<hr/>b": "a\n\n---\n\nb",
  "a<ul><li>b</li><li><p>c</p><p>d</p></li></ul>e": "a\n\n- b\n- c\n\n    d\n\ne",
  "<ol start=3><li>a<ul><li>b</ul><li>c</ol>": "3. a\n    - b\n4. c",
  "<ul><li>a</li><ul><li>b</li><ol><li>c</ol></ul><li>d</ul>": "- a\n    - b\n        1. c\n- d",
  "<ul><li><ul><li>a</li><li>b</li></ul></li></ul>": "-   - a\n    - b",
  "<ul><li>a<blockquote>b</blockquote>c</li></ul>": "- a\n\n    > b\n\n    c",
  "a<blockquote><p>b<p>c</blockquote>d": "a\n\n> b\n>\n> c\n\nd",
  "<blockquote>a<ul><li>b</blockquote>": "> a\n>\n> - b",
  "<pre>\n  a\n\n\n<b>b</b></pre>": "```\n  a\n\n\nb\n```",
  "<pre>```</pre>": "````\n```\n````",
  "<ul><li><pre>a\n b</pre></li></ul>": "-   ```\n    a\n     b\n    ```",
  "<table><caption>t<tr><th>a|b<td><div>c</div><div>d</div><tr><td>e</table>f":
    "t\n\n| a\\|b | c d |\n| --- | --- |\n| e |\n\nf",
  "<table><tr><td>a<tr><td>b<td>c</table>": "| a |  |\n| --- | --- |\n| b | c |",
  "<table><tr><td>a<table><tr><td>b</table></table>": "a\n\n| b |\n| --- |",
  "<b>a </b>b<em> c</em><s></s><strike> </strike><del>d</del>": "**a** b *c* ~~d~~",
  "<b><div>a</div><div>b</div></b>": "**a**\n**b**",
  "<b>a<i>b</b>c</i> <code>d</code> <code>e</code>": "**a*b****c* `d` `e`",
  '<a href="https://a.b/c_(d)">e</a> <a href=https://a.b> https://a.b</a>':
    "[e](https://a.b/c_(d)) https://a.b",
  '<a href="file:///a">b</a><a name=c>d</a><a href="https://a.b/c d)"><b>e</b> </a>f':
    "bd[**e**](https://a.b/c%20d%29) f",
  '<a href="tel:1"></a><a href="#a"></a>': "tel:1",
  '<img src="https://a.b/c.png" alt="d\ne">': "![d e](https://a.b/c.png)",
  '<a href="https://a.b"><img src="https://a.b/c.png"></a>':
    "[![](https://a.b/c.png)](https://a.b)",
  "<en-todo/>a<div><en-todo checked='true' /> b</div>c<input type=checkbox checked>d<en-todo checked='false'/>e":
    "- [ ] a\n- [x] b\nc\n- [x] d\n- [ ] e",
  "<ul><li><div><en-todo/>a</div></li><li style='--en-checked:true;'>b<li style='--en-checked:false'>":
    "- [ ] a\n- [x] b\n- [ ]",
  "<div style='x:y;-en-codeblock:true'><div>a&nbsp; b</div>\n<div><br/></div><div>c</div></div>d":
    "```\na  b\n\nc\n```\n\nd",
  "<div style='--en-codeblock:true;--en-codeblockLanguage:c++;'>a</div>": "```c++\na\n```",
  "<div style='--en-codeblock:true;--en-codeblockLanguage:a b;'>a</div>": "```\na\n```",
  "<div style='--en-codeblock:true;--en-codeblockLanguage:abcdefghijklmnopqrstu;'>a</div>":
    "```\na\n```",
  "<head><title>a</title></head>b<!-- c --><style>d</style><SCRIPT>'<b>'</script >e<![CDATA[<f>]]>":
    "be<f>",
  "&#65;&#x42;&eacute;&apos;&hellip;&#150;&nope;&amp &#0;&#xD800;&#x110000;":
    "ABé'…–&nope;&amp &#0;&#xD800;&#x110000;",
  "<div>&nbsp;a &nbsp; b&nbsp;</div>": " a   b",
  // Text that only looks like markup.
  "a < b <3 <c@d.e> <Servo.h> <!-- f": "a < b <3 <c@d.e> <Servo.h> <!-- f",
  "<a href='b>c</b> <p>d": "<a href='b>c\n\nd",
  "</div></ul>a</li></b><foo>b</foo></table><td>c": "a\nb\n\nc",
  "<style>a": "a",
  "<p/>a<b/>b<ul/>c": "ab\n\nc",
};

Deno.test("markup becomes Markdown", async () => {
  for (const [html, text] of Object.entries(TEXTS)) {
    assertEquals(await markdownOf(html), text, html);
  }
});

Deno.test("files, links and groups of tasks are written by the format", async () => {
  const html = '<div>a<en-media hash="0f" type="image/png"/></div><img src=":/1" alt="b">' +
    '<img src="data:,c"><a href="evernote:///d">e</a> <a href="https://f">g</a>' +
    '<div style="--en-task-group:true; --en-id:h;">i<div>j</div></div>' +
    '<div style="--en-task-group:true; --en-id:k">l</div>' +
    '<div style="--en-codeblock:true">m<en-media hash="1f"/></div><img src="HTTP://p/f">';
  const seen: string[] = [];
  const text = await markdownOf(html, {
    media: (address) => {
      seen.push(address);
      return address.endsWith("f") ? `![](attachment:${address})` : null;
    },
    link: (address, words) => address.startsWith("evernote:") ? `[[${words}]]` : null,
    tasks: (id) => id === "h" ? ["- [ ] n", "- [x] o"] : null,
  });
  assertEquals(seen, ["0f", ":/1", "data:,c", "1f"]);
  assertEquals(
    text,
    "a![](attachment:0f)\n![b](:/1)![](data:,c)[[e]] [g](https://f)\n- [ ] n\n- [x] o\nl\n\n" +
      "```\nm\n```\n\n![](attachment:1f)![](HTTP://p/f)",
  );
});

Deno.test("text that is cut has at least 4 MiB, so that it is refused", async () => {
  const code = `<pre>a${"\n".repeat(100_000)}a</pre>`;
  const { length } = await markdownOf("<blockquote>".repeat(99) + code);
  assert(length >= MAX_MARKDOWN && length < MAX_MARKDOWN + 1000);
  const table = `<table>${`<tr><td>${"a".repeat(1000)}`.repeat(3000)}</table>b`;
  assert((await markdownOf(table)).endsWith("b"));
});

Deno.test("a cipher text stays in a fence and is reported", async () => {
  const converted = await htmlToMarkdown("<en-crypt hint='a'>b=</en-crypt>", { turn });
  assertEquals(converted, { text: "```\nencrypted: a\nb=\n```", hasEncrypted: true });
});

Deno.test("elements deeper than 100 count as text", async () => {
  const text = await markdownOf(
    "<blockquote>".repeat(150) + "a" + "</blockquote>".repeat(150) + "b",
  );
  assertEquals(text, `${"> ".repeat(100)}a\n\nb`);
});

const PIECES = [
  ..."<div> <p> <br/> <b> </b> <i> </i> <code> </code> <a> </a> <h2> </h2> <hr> <img> <".split(" "),
  ..."</div> </p> <ul> <ol> <li> </li> </ul> </ol> <blockquote> </blockquote> <pre> &".split(" "),
  ..."</pre> <table> <tr> <td> </td> </tr> </table> <en-todo/> <en-media> <span> </span>".split(
    " ",
  ),
  "<a href='https://a.b'>",
  "<li style='--en-checked:true'>",
  "<div style='--en-codeblock:true'>",
  "<en-crypt>",
  "</en-crypt>",
  "<table/>",
];

/** Larger runs are made with `MARKUP_TEXTS`. */
const TEXTS_TO_MAKE = Number(Deno.env.get("MARKUP_TEXTS") ?? 300);

Deno.test("no word of random markup is lost", async () => {
  const random = seededRandom(56);
  for (let made = 0; made < TEXTS_TO_MAKE; made++) {
    const words = Array.from({ length: random.integer(1, 20) }, (_, index) => `w${index}w`);
    const html = words.map((word) => `${random.pick(PIECES)}${random.pick(PIECES)} ${word}`).join(
      "",
    );
    const found = (await markdownOf(html)).match(/w\d+w/g) ?? [];
    assertEquals(found.toSorted(), words.toSorted(), html);
  }
});

Deno.test("a text stops growing far beyond the limit of an item", async () => {
  const text = await markdownOf("<blockquote>".repeat(50) + `<p>${"a".repeat(1000)}`.repeat(5000));
  assert(text.length > 4_000_000 && text.length < 5_000_000);
});
