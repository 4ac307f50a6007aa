/** The addresses of files in notes become names of attachments, and nothing else changes. */

import { assertEquals } from "@std/assert";
import { sha256Hex } from "../../../../src/core/digest.ts";
import { linkedTexts } from "../../../../src/imports/converters/linked_texts.ts";
import { noteAddresses } from "../../../../src/imports/converters/note_addresses.ts";
import type { NoteFiles } from "../../../../src/imports/converters/note_files.ts";
import { ReadingBudget } from "../../../../src/imports/reading_budget.ts";
import {
  generatedAddress,
  generatedLink,
  generatedPaths,
  generatedWords,
  noteFilesOf,
  slowFind,
  vaultOf,
} from "../../../support/note_vaults.ts";
import { type Random, seededRandom } from "../../../support/random.ts";

const PATHS = [
  "Note.md",
  "Old.markdown",
  "pic a.png",
  "plan.png",
  "sub/cafe\u0301.png",
  "x (1)/y.png",
  "a/bill.pdf",
  "b/bill.pdf",
  "sub/deep/bill.pdf",
  "log.txt",
  ".obsidian/icon.png",
];
const vault = await noteFilesOf(await vaultOf(PATHS));

/** The text with `{path}` for each file, and the missing files. */
async function linked(
  files: NoteFiles,
  text: string,
  note: string,
): Promise<[string, ...string[]]> {
  const { text: written, paths, attachments } = await files.link(text, note);
  let readable = written;
  for (const [name, path] of paths) {
    readable = readable.replaceAll(`attachment:${name}`, `{${path}}`);
  }
  return [readable, ...attachments.filter((name) => !paths.has(name))];
}

const LINKS: readonly (readonly [string, string, ...string[]])[] = [
  ["![[pic a.png|100]] ![[pic a.png]]", "![pic a.png|100]({pic a.png}) ![pic a.png]({pic a.png})"],
  ["| ![[plan.png\\|100]] |", "| ![plan.png\\|100]({plan.png}) |"],
  [
    "[[plan.png|The plan]] [[a/bill.pdf#page=2]]",
    "[The plan]({plan.png}) [bill.pdf]({a/bill.pdf})",
  ],
  ["![](<../pic a.png> 'Title') ![](../pic%20a.png)", "![]({pic a.png} 'Title') ![]({pic a.png})"],
  ["![](../pic a.png) ![a](/plan.png (t))", "![]({pic a.png}) ![a]({plan.png} (t))"],
  ["[a](../x (1)/y.png) [b](/x%20\\(1\\)/y.png)", "[a]({x (1)/y.png}) [b]({x (1)/y.png})"],
  ["![](caf\u00e9.png) [[CAFÉ.png]]", "![]({sub/cafe\u0301.png}) [CAFÉ.png]({sub/cafe\u0301.png})"],
  ["[[bill.pdf]] [x](gone/bill.pdf)", "[bill.pdf]({sub/deep/bill.pdf}) [x](gone/bill.pdf)"],
  ["[![a](../plan.png)](../log.txt)", "[![a]({plan.png})]({log.txt})"],
  ["[a [1] `]` b](../plan.png) [[1]](plan.png)", "[a [1] `]` b]({plan.png}) [[1]]({plan.png})"],
  ["[x]: <../plan.png> 'T'\n[y]:\n  plan.png", "[x]: {plan.png} 'T'\n[y]:\n  {plan.png}"],
  ["> 1. - [z]: /plan.png\n> [y]: /plan.png", "> 1. - [z]: {plan.png}\n> [y]: {plan.png}"],
  ["[^1]: plan.png\n[z]: plan.png and more", "[^1]: plan.png\n[z]: plan.png and more"],
  ["<img\n src='/plan.png'/><a href=../log.txt>", "<img\n src='{plan.png}'/><a href={log.txt}>"],
  [
    "<b data='plan.png'> <img src=\"a&amp;b.png\">",
    "<b data='plan.png'> <img src=\"a&amp;b.png\">",
    "a&amp;b.png",
  ],
  ["![](file:///home/ana/a/bill.pdf)", "![]({a/bill.pdf})"],
  ["![](C:\\Users\\ana\\plan.png)", "![]({plan.png})"],
  [
    "![[Note]] ![](../Old.markdown) ![[log]] [n](Note.md)",
    "![[Note]] ![](../Old.markdown) ![[log]] [n](Note.md)",
  ],
  ["![](.obsidian/icon.png)", "![](.obsidian/icon.png)", "/.obsidian/icon.png"],
  [
    "![g](a b.gif) ![[up.png#x|3]] [x](gone.pdf)",
    "![g](a b.gif) ![[up.png#x|3]] [x](gone.pdf)",
    "up.png",
    "a b.gif",
  ],
  [
    "![](https://a.example/plan.png) ![](#x) ![]()",
    "![](https://a.example/plan.png) ![](#x) ![]()",
  ],
  ["`a ![](/plan.png)\n\n` ![](/plan.png)", "`a ![]({plan.png})\n\n` ![]({plan.png})"],
  ["a <b and ![](/plan.png) >", "a <b and ![]({plan.png}) >"],
  ["# a ` b\n![](/plan.png) ` c", "# a ` b\n![]({plan.png}) ` c"],
  ["a ` b\n> ![](/plan.png) ` c", "a ` b\n> ![]({plan.png}) ` c"],
  ["> a ` b\n> ![](/plan.png) ` c", "> a ` b\n> ![](/plan.png) ` c"],
  [
    "- ```\n  ![](plan.png)\n  ```\n![](/plan.png)",
    "- ```\n  ![](plan.png)\n  ```\n![]({plan.png})",
  ],
  ["> ~~~\n> [[plan.png]]\n[[plan.png]]", "> ~~~\n> [[plan.png]]\n[plan.png]({plan.png})"],
  [
    "```\n    ```\n![](/plan.png)\n```\n![](/plan.png)",
    "```\n    ```\n![](/plan.png)\n```\n![]({plan.png})",
  ],
  [
    "```\n> ```\n![](/plan.png)\n```\n![](/plan.png)",
    "```\n> ```\n![](/plan.png)\n```\n![]({plan.png})",
  ],
  [
    "- ```\n  ![](/plan.png)\n- ![](/plan.png)",
    "- ```\n  ![](/plan.png)\n- ![]({plan.png})",
  ],
  [
    "1. a\n\n\t~~~\n\t![](/plan.png)\n\n\t~~~\n2. ![](/plan.png)",
    "1. a\n\n\t~~~\n\t![](/plan.png)\n\n\t~~~\n2. ![]({plan.png})",
  ],
  [
    "> - ```\n>   [[plan.png]]\n>   > ```\n> ![](/plan.png)",
    "> - ```\n>   [[plan.png]]\n>   > ```\n> ![]({plan.png})",
  ],
  [
    "- a `b\n  ~~~\n  ` ![](/plan.png)\n~~~\n![](/plan.png)",
    "- a `b\n  ~~~\n  ` ![](/plan.png)\n~~~\n![](/plan.png)",
  ],
  ["\t```\n![](/plan.png)\n\t```", "\t```\n![]({plan.png})\n\t```"],
  ["a\n\t```\n![](/plan.png)\n\t```", "a\n\t```\n![](/plan.png)\n\t```"],
  ["# `a\n![](/plan.png)`", "# `a\n![]({plan.png})`"],
  ["<!-- [[plan.png]] --> <!-- [[plan.png]]", "<!-- [[plan.png]] --> <!-- [plan.png]({plan.png})"],
];

for (const [text, ...expected] of LINKS) {
  Deno.test(`Links of notes: ${JSON.stringify(text)}`, async () => {
    assertEquals(await linked(vault, text, "sub/Other.md"), expected);
  });
}

Deno.test("Words that look like the name of an attachment stay", async () => {
  const { text } = await vault.link("`attachment:plan.png` [p](plan.png)", "Note.md");
  assertEquals(text, `\`attachment:plan.png\` [p](attachment:${vault.nameOf("plan.png")})`);
});

Deno.test("File that cannot be read is missing, also for a link", async () => {
  const archive = await vaultOf(["Note.md", "a.pdf", "b/b.pdf"]);
  for (const entry of archive.matching(/pdf$/)) archive.refuse(entry, "zip.crc");
  const text = "[a](a.pdf) ![[b.pdf]]";
  assertEquals(await linked(await noteFilesOf(archive), text, "Note.md"), [
    text,
    "a.pdf",
    "b/b.pdf",
  ]);
});

Deno.test("Pictures inside a text become files, equal ones once", async () => {
  const data = (type: string, base64: string) => `data:${type};base64,${base64}`;
  const text = `![](${data("image/png", "QUJD")}) <img src="${data("image/jpeg", "REVG")}">` +
    `![](${data("image/png", "QUJD")} "t") [a](${
      data("image/png", "QUJD")
    }) ![](data:image/png;base64,?)`;
  const { text: written, files, attachments } = await vault.link(text, "Note.md");
  assertEquals(files.map(({ filename, mediaType, size }) => [filename, mediaType, size]), [
    ["picture-1.png", "image/png", 3],
    ["picture-2.jpg", "image/jpeg", 3],
  ]);
  assertEquals(attachments, files.map(({ name }) => name));
  const [first, second] = attachments;
  assertEquals(
    written,
    `![](attachment:${first}) <img src="attachment:${second}">![](attachment:${first} "t") ` +
      `[a](${data("image/png", "QUJD")}) ![](data:image/png;base64,?)`,
  );
});

Deno.test("A picture inside a text may escape its characters", async () => {
  for (const before of [0, 1, 2, 3]) {
    const bytes = new Uint8Array(64 * 1024 + before).fill(0xff);
    const data = encodeURIComponent(bytes.toBase64());
    assertEquals(data.slice(-3), bytes.length % 3 === 0 ? "%2F" : "%3D");
    const { files } = await vault.link(`![](data:image/png;base64,${data})`, "Note.md");
    assertEquals(files.map(({ sha256 }) => sha256), [sha256Hex(bytes)]);
  }
});

Deno.test("A .txt is a file of the note that links to it, and else a note", async () => {
  const texts: Readonly<Record<string, string>> = {
    "Note.md": "[log](log.txt) [[Other]]",
    "log.txt": "[of no note](Other.txt)",
    "Other.txt": "[self](Other.txt)",
    "c1.txt": "[next](c2.txt)",
    "c2.txt": "[next](c3.txt)",
    "c3.txt": "[end](c4.txt)",
    "c4.txt": "",
    "r1.txt": "[round](r2.txt)",
    "r2.txt": "[round](r1.txt)",
  };
  const files = await noteFilesOf(await vaultOf(Object.keys(texts)));
  async function* notes() {
    for (const [path, text] of Object.entries(texts)) yield await Promise.resolve({ path, text });
  }
  const linkedPaths = await linkedTexts(notes(), files, new ReadingBudget({ fileBytes: 0 }));
  assertEquals([...linkedPaths].sort(), ["c2.txt", "c4.txt", "log.txt", "r2.txt"]);
});

/** Vaults and links of the test; outside of the suite more are worthwhile. */
Deno.test("A scan lets its caller work at least every 8 KiB", () => {
  const [kibibytes, text] = [64, "[".repeat(64 * 1024)];
  assertEquals(Array.from(noteAddresses(text)).length, kibibytes / 8);
});

const [VAULTS, LINKS_PER_VAULT] = [20, 30];

Deno.test("Generated vaults: only addresses change, each as the contract says", async () => {
  for (let seed = 1; seed <= VAULTS; seed++) await checkVault(seededRandom(seed), `vault ${seed}`);
});

async function checkVault(random: Random, label: string): Promise<void> {
  const paths = generatedPaths(random, 40);
  const note = random.pick(paths);
  const files = await noteFilesOf(await vaultOf(paths));
  let text = "";
  let expected = "";
  for (let count = 0; count < LINKS_PER_VAULT; count++) {
    const link = generatedLink(random, generatedAddress(random, paths, note));
    const { address, form, isEmbed, before, written, after } = link;
    const isWiki = form === "wiki";
    const path = slowFind(paths, { address, isWiki, note });
    const isFile = path !== null && !path.endsWith(".md") && path !== note;
    const target = isFile ? `attachment:${files.nameOf(path)}` : null;
    const words = generatedWords(random);
    text += `${words}\n\n${before}${written}${after} `;
    expected += `${words}\n\n${before}${
      target === null ? written : isWiki ? wikiLink(written, isEmbed, target) : target
    }${after} `;
  }
  assertEquals((await files.link(text, note)).text, expected, label);
}

/** The name in a link without words is checked elsewhere. */
function wikiLink(written: string, isEmbed: boolean, target: string): string {
  const content = written.slice(written.indexOf("[[") + 2, -2);
  const [address = "", rest] = content.split("|");
  let name = address.replace(/[?#].*/, "");
  try {
    name = decodeURIComponent(name);
  } catch { /* As written. */ }
  name = name.slice(name.lastIndexOf("/") + 1);
  if (isEmbed) return `![${name}${rest === undefined ? "" : `|${rest}`}](${target})`;
  return `[${rest ?? name}](${target})`;
}
