/** Text bundles and backups of Bear. */

import { assertEquals } from "@std/assert";
import { sha256Hex } from "../../../../src/core/digest.ts";
import { bearTags } from "../../../../src/imports/converters/apps/bear_tags.ts";
import { BundlePaths } from "../../../../src/imports/converters/apps/bundle_paths.ts";
import { TEXTBUNDLE } from "../../../../src/imports/converters/apps/textbundle.ts";
import { convertFile, type Files } from "../../../support/converted_files.ts";

const SOURCE = { source: "textbundle:Bear" };

function bear(facts: Record<string, unknown>): string {
  return JSON.stringify({ version: 2, "net.shinyfrog.bear": facts });
}

async function snapshotOf(files: Files): Promise<unknown> {
  const { items } = await convertFile(TEXTBUNDLE, files, SOURCE);
  return (items[0]?.members.payload as Record<string, unknown>).snapshot;
}

Deno.test("Bundle has its text, files, path and group", async () => {
  const files = {
    "Trips/Italy/The lake.textbundle/text.md": "We swam ![photo](assets/a%20b.png)\n",
    "Trips/Italy/The lake.textbundle/assets/a b.png": "png",
    "Trips/Italy/The lake.textbundle/assets/more.pdf": "pdf",
    "Trips/Italy/The lake.textbundle/info.json": "{}",
    "Other.textbundle/text.rtf": "rtf",
    "Other.textbundle/info.json": "{}",
  };
  const { items, counts, groups, used } = await convertFile(TEXTBUNDLE, files, {
    source: "textbundle:Vault",
    mapping: { groups: { Trips: "memory" } },
  });
  const [png = "", pdf = ""] = ["png", "pdf"].map((each) => sha256Hex(each).slice(0, 26));
  assertEquals(items.map(({ members, rules }) => [members, rules]), [[{
    key: "Trips/Italy/The lake",
    target: "memory",
    title: "The lake",
    payload: {
      memoryType: "EVENT",
      originalContent: `We swam ![photo](attachment:${png})\n\n[more.pdf](attachment:${pdf})`,
      timePrecision: "UNKNOWN",
    },
    tags: [],
    attachments: [png, pdf],
  }, ["import.date"]]]);
  assertEquals(counts, { "textbundle.type": 1 });
  assertEquals(groups, { Trips: 0, "Trips/Italy": 1 });
  assertEquals([...used], [
    "Trips/Italy/The lake.textbundle/info.json",
    "Trips/Italy/The lake.textbundle/text.md",
    "Other.textbundle/text.rtf",
    "Other.textbundle/info.json",
  ]);
});

Deno.test("Bear states key, time, archive and trash", async () => {
  const stated = { uniqueIdentifier: "EA7C", creationDate: "2023-10-11T08:08:52Z", pinned: 1 };
  const files = {
    "A.textbundle/text.md": "# Head #x/y\n\n#two words#",
    "A.textbundle/info.json": bear({ ...stated, archived: 1 }),
    "B.textbundle/text.md": "",
    "B.textbundle/info.json": bear({ uniqueIdentifier: "B", title: "Secret", encrypted: 1 }),
    "C.textbundle/text.md": "Gone",
    "C.textbundle/info.json": bear({ trashed: 1 }),
    "D.textbundle/text.md": "Late",
    "D.textbundle/info.json": bear({ creationDate: "soon", "bear-note-unique-identifier": "D4" }),
  };
  const { items, counts } = await convertFile(TEXTBUNDLE, files, {
    ...SOURCE,
    mapping: { timeZone: "Europe/Berlin", target: "memory" },
  });
  assertEquals(items[0]?.members, {
    key: "EA7C",
    target: "memory",
    title: "Head #x/y",
    payload: {
      memoryType: "EVENT",
      originalContent: "# Head #x/y\n\n#two words#",
      occurredAt: "2023-10-11T10:08:52.000+02:00[Europe/Berlin]",
      timePrecision: "EXACT",
    },
    tags: ["x/y", "two words"],
    attachments: [],
    recordedAt: "2023-10-11T08:08:52.000Z",
    archived: true,
  });
  const others = items.slice(1).map((
    { members: { key, title }, refused, rules },
  ) => [key, title, refused ?? rules]);
  assertEquals(others, [["B", undefined, ["note.encrypted"]], ["D4", "D", [
    "import.date",
    "import.date",
  ]]]);
  assertEquals(counts, { "note.trashed": 1, pinned: 1 });
});

Deno.test("Top of an archive may be a bundle", async () => {
  const files = {
    "info.json": "{}",
    "text.markdown": "\ufeffWords\r\nmore",
    "assets/x.png": "png",
  };
  const { items: [item] } = await convertFile(TEXTBUNDLE, files, SOURCE);
  const key = `digest:${sha256Hex("Words\r\nmore")}`;
  assertEquals([item?.members.key, item?.members.title], [key, "Words"]);
  const named = await convertFile(TEXTBUNDLE, files, { ...SOURCE, filename: "A day.textpack" });
  assertEquals(named.items.map(({ members }) => [members.key, members.title]), [[
    "A day",
    "A day",
  ]]);
  const name = sha256Hex("png").slice(0, 26);
  assertEquals(await snapshotOf(files), `Words\nmore\n\n![](attachment:${name})`);
});

Deno.test("Links find files of their own bundle only", async () => {
  const name = sha256Hex("png").slice(0, 26);
  const files = {
    "A.textbundle/text.md": [
      "![](assets/x.png) [x](assets/x.png) `![](assets/x.png)`",
      "![](assets/lost.png) [lost](assets/lost.pdf) [web](https://example.org/x.png)",
      "![](data:image/png;base64,cG5n)",
    ].join("\n"),
    "A.textbundle/assets/x.png": "png",
    "B.textbundle/text.txt": "B",
    "B.textbundle/assets/lost.png": "other",
  };
  assertEquals(
    await snapshotOf(files),
    [
      `![](attachment:${name}) [x](attachment:${name}) \`![](assets/x.png)\``,
      "![](assets/lost.png) [lost](assets/lost.pdf) [web](https://example.org/x.png)",
      `![](attachment:${name})`,
    ].join("\n"),
  );
  const { items: [first] } = await convertFile(TEXTBUNDLE, files, SOURCE);
  assertEquals(first?.members.attachments, [name, "assets/lost.png", "assets/lost.pdf"]);
});

Deno.test("HTML becomes Markdown", async () => {
  const name = sha256Hex("png").slice(0, 26);
  const files = {
    "A.textbundle/text.html":
      '<h1>Head</h1><p>See <img src="assets/x.png"> <a href="assets/x.png">it</a> ' +
      '<a href="assets/y.pdf">more</a></p>',
    "A.textbundle/assets/x.png": "png",
  };
  const { items: [item] } = await convertFile(TEXTBUNDLE, files, SOURCE);
  assertEquals(item?.members.title, "Head");
  assertEquals(
    await snapshotOf(files),
    `# Head\n\nSee ![](attachment:${name}) [it](attachment:${name}) [more](assets/y.pdf)`,
  );
});

Deno.test("Tags of Bear are words after a blank, outside of code", () => {
  assertEquals(bearTags("#one #a/b, #x-y_z #two words# #three\n#four. a#no ##no # no"), [
    "one",
    "a/b",
    "x-y_z",
    "two words",
    "three",
    "four",
  ]);
  assertEquals(bearTags("#12 #fff #face #1a2 #1a2b #12345678 #a1b2c3 #2024-plan #中文，标签"), [
    "fff",
    "face",
    "2024-plan",
    "中文",
  ]);
  assertEquals(bearTags("`#code` \\#no [x](#part) #Same #same #open end #a/"), [
    "Same",
    "open",
    "a",
  ]);
  assertEquals(bearTags("```\n#fenced\n```\n#after #one#two #b c#d"), ["after", "one", "b"]);
});

Deno.test("Zipped bundle has the path of the bundle inside it", () => {
  const paths = new BundlePaths([
    "",
    "A/x.textpack/Y.textbundle/",
    "z.textpack/",
    "B/Q.textbundle/",
  ]);
  assertEquals(paths.of("A/x.textpack/Y.textbundle/"), { path: "A/x", group: "A" });
  assertEquals(paths.of("z.textpack/"), { path: "z", group: "" });
  assertEquals(paths.of("Notes at 10.12.bear2bk/In/a.textbundle/"), { path: "In/a", group: "In" });
  assertEquals(paths.of(""), { path: "", group: "" });
  assertEquals([...paths.groups], ["A", "B"]);
  const several = new BundlePaths(["x.textpack/Y.textbundle/", "x.textpack/Z.textbundle/"]);
  assertEquals(several.of("x.textpack/Z.textbundle/"), { path: "x/Z", group: "" });
});
