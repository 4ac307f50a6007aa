/** vCards that leave, with the lines that came in. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../../../src/core/json.ts";
import type { CardSource } from "../../../../src/families/relationship/vcard.ts";
import type { VcardVersion } from "../../../../src/families/relationship/vcard_text.ts";
import { writeDetails } from "../../../families/relationship/cards.ts";

const ID = "01KB0000000000000000000000";

function kept(kind: string, value: JsonObject, version: string, ...lines: string[]): JsonObject {
  return { kind, value, lines: { version, lines } };
}

function other(line: string, version = "4.0"): JsonObject {
  const [, property = ""] = /^(?:\w+\.)?([\w-]+)/.exec(line) ?? [];
  return kept("OTHER", { property, value: line }, version, line);
}

/** Unfolded, without the lines that every card has. */
function written(
  details: readonly JsonObject[],
  version: VcardVersion,
  more: Partial<CardSource> = {},
): string[] {
  const lines = writeDetails(details, version, more).replaceAll("\r\n ", "").split("\r\n");
  const isFrame = (line: string) => /^(?:BEGIN|VERSION|PRODID|REV|END):|^$/.test(line);
  const own = [`UID:urn:prs:${ID}`, "FN:Lena Ö", "N:Lena Ö;;;;"];
  return lines.filter((line) => !isFrame(line) && !own.includes(line));
}

Deno.test("In the other version a line has the parameters that both know, and X- ones", () => {
  const four = {
    ...kept(
      "PHONE",
      { value: "+49 30 1;ext=7", types: ["home"] },
      "4.0",
      'TEL;VALUE=uri;PREF=1;PID=1.1;TYPE=home;LANGUAGE=de;X-A="b;c":tel:+49 30 1;ext=7',
    ),
    preferred: true,
  };
  assertEquals(written([four], "3.0"), [
    'TEL;TYPE=home,pref;LANGUAGE=de;X-A="b;c":+49 30 1\\;ext=7',
  ]);
  const three = { ...kept("EMAIL", { value: "a@b" }, "3.0", "EMAIL;type=INTERNET,pref;X-A=1:a@b") };
  assertEquals(written([{ ...three, preferred: true }], "4.0"), ["EMAIL;PREF=1;X-A=1:a@b"]);
  assertEquals(written([{ kind: "PHONE", value: { value: "tel:+49" } }], "3.0"), ["TEL:+49"]);
});

Deno.test("Lists in a name and an organization leave as lists, unless a blank follows", () => {
  const details = [
    { kind: "NAME", value: { family: "Oak, Elm", additional: "Max,Jo", suffix: "PhD," } },
    { kind: "ORGANIZATION", value: { name: "a;b", department: "Research;Lab 4; east" } },
  ];
  assertEquals(written(details, "4.0"), [
    "N:Oak\\, Elm;;Max,Jo;;PhD\\,",
    "ORG:a\\;b;Research;Lab 4\\; east",
  ]);
});

Deno.test("Lines of one group leave in one after the labelled one, and no other line does", () => {
  const details = [
    kept("PHONE", { value: "1" }, "3.0", "ITEM9.TEL:1"),
    kept("EMAIL", { value: "c@d" }, "3.0", "item3.EMAIL:c@d"),
    {
      ...kept(
        "EMAIL",
        { value: "a@b" },
        "3.0",
        "item9.EMAIL;TYPE=INTERNET:a@b",
        "item9.X-ABLabel:_$!<Home>!$_",
      ),
      label: "Home",
    },
    other("home.X-FOO:1", "3.0"),
    { kind: "URL", value: { value: "x" }, label: "Boat" },
    { kind: "OTHER", value: { property: "X-BAR", value: "item3.X-BAR:2" } },
  ];
  assertEquals(written(details, "3.0"), [
    "ITEM9.EMAIL;TYPE=INTERNET:a@b",
    "ITEM9.X-ABLabel:_$!<Home>!$_",
    "ITEM9.TEL:1",
    "item1.EMAIL:c@d",
    "item2.URL:x",
    "item2.X-ABLabel:Boat",
    "home.X-FOO:1",
    "item3.X-BAR:2",
  ]);
  assertEquals(written(details, "4.0").slice(0, 4), [
    "ITEM9.EMAIL:a@b",
    "ITEM9.X-ABLabel:Home",
    "ITEM9.TEL:1",
    "EMAIL:c@d",
  ]);
});

Deno.test("What a version cannot hold has a name of our own", () => {
  const details = [
    kept("NAME", { family: "A" }, "4.0", "N;ALTID=1:A;;;;"),
    other("N;ALTID=1;LANGUAGE=jp:T;;;;"),
    other("N:B;;;;"),
    other("FN;LANGUAGE=fr:Léna"),
    other("item1.BDAY:1984-02"),
    other("ANNIVERSARY:in spring"),
    other("DEATHDATE;VALUE=text:long ago"),
    { kind: "DATE", value: { what: "DEATH", date: "1999" } },
    other("TEL;VALUE=uri:mailto:a@b"),
    other("NOTE:never"),
    { kind: "OTHER", value: { property: "X-PRS-UID", value: "never" } },
    { kind: "OTHER", value: { property: "KIND", value: "group" } },
    { kind: "OTHER", value: { property: "BDAY", value: "BDAY;VALUE=text:by hand" } },
  ];
  const shared = ["TEL;VALUE=uri:mailto:a@b", "X-PRS-KIND:group"];
  assertEquals(written(details, "4.0"), [
    "N;ALTID=1:A;;;;",
    "N;ALTID=1;LANGUAGE=jp:T;;;;",
    "X-PRS-N:B;;;;",
    "DEATHDATE:1999",
    "FN;LANGUAGE=fr:Léna",
    "item1.BDAY:1984-02",
    "X-PRS-ANNIVERSARY:in spring",
    "X-PRS-DEATHDATE;VALUE=text:long ago",
    ...shared,
  ]);
  assertEquals(written(details, "3.0"), [
    "N:A;;;;",
    "X-PRS-N;ALTID=1;LANGUAGE=jp:T;;;;",
    "X-PRS-N:B;;;;",
    "X-PRS-DEATHDATE:1999",
    "X-PRS-FN;LANGUAGE=fr:Léna",
    "item1.X-PRS-BDAY:1984-02",
    "X-PRS-ANNIVERSARY:in spring",
    "X-PRS-DEATHDATE;VALUE=text:long ago",
    ...shared,
  ]);
});

Deno.test("The label of an address is a parameter in 4.0 and a line in 3.0", () => {
  const address = (version: string, line: string) =>
    kept("ADDRESS", { locality: "Kiel", types: ["home"] }, version, line);
  const three = [
    address("3.0", "ADR;TYPE=HOME:;;;Kiel;;;"),
    other('LABEL;TYPE=home,pref:a\\, "b"\\nc^', "3.0"),
    other("LABEL;TYPE=work:d", "3.0"),
  ];
  assertEquals(written(three, "4.0"), [
    `ADR;TYPE=home;LABEL="a, ^'b^'\\nc^^":;;;Kiel;;;`,
    "LABEL;TYPE=work:d",
  ]);
  const four = address("4.0", `ADR;TYPE=home;LABEL="a, ^'b^'\\nc^^":;;;Kiel;;;`);
  assertEquals(written([four], "3.0"), [
    "ADR;TYPE=home:;;;Kiel;;;",
    'LABEL;TYPE=home:a\\, "b"\\nc^',
  ]);
});

Deno.test("An anniversary has three forms in 3.0, and one after a label of Apple's", () => {
  const date = (more: JsonObject) => ({
    kind: "DATE",
    value: { what: "ANNIVERSARY", date: "2011-11-11" },
    ...more,
  });
  const [first, second, third] = [
    "X-ANNIVERSARY:2011-11-11",
    "X-EVOLUTION-ANNIVERSARY:2011-11-11",
    "X-ABDATE:2011-11-11",
  ];
  const apple = (number: number) => [
    `item${number}.${third}`,
    `item${number}.X-ABLabel:_$!<Anniversary>!$_`,
  ];
  assertEquals(written([date({})], "3.0"), [first, second, ...apple(1)]);
  const labelled = [`item1.${first}`, "item1.X-ABLabel:Paper"];
  assertEquals(written([date({ label: "Paper" })], "3.0"), [...labelled, second, ...apple(2)]);
  assertEquals(written([date({ label: "Anniversary" })], "3.0"), [...apple(1), first, second]);
});

Deno.test("A card has the UIDs of others, and the whole of a name that was cut", () => {
  const personName = "é".repeat(200);
  const uids = new Map([[ID, ["a,b", "urn:uuid:2"]], ["2", ["p-2"]]]);
  const details = [
    other(`FN;LANGUAGE=fr:${personName}\\, whole`),
    ...["2", "3"].map((personId) => ({ kind: "LINK", value: { personId, relation: "friend" } })),
  ];
  const own = ["UID:a,b", "X-PRS-UID:urn:uuid:2"];
  const links = ["RELATED;TYPE=friend:urn:uuid:p-2", "RELATED;TYPE=friend:urn:prs:3"];
  assertEquals(written(details, "4.0", { personName, uids }), [
    ...own,
    `FN;LANGUAGE=fr:${personName}\\, whole`,
    ...links,
  ]);
  assertEquals(written(details, "3.0", { personName, uids }).slice(0, 3), [
    ...own,
    `FN:${personName}\\, whole`,
  ]);
  const renamed = written(details, "4.0", { personName: "Lena Ö", uids });
  assertEquals(renamed.slice(2), [...links, `FN;LANGUAGE=fr:${personName}\\, whole`]);
});

Deno.test("Lines that would break a card are written from the value", () => {
  for (const line of ["END:VCARD", "no line", "UID:1"]) {
    assertEquals(written([kept("URL", { value: "x" }, "4.0", line)], "4.0"), ["URL:x"]);
  }
  const broken = kept("URL", { value: "x" }, "4.0", "URL:x\r\nEND:VCARD");
  assertEquals(written([broken], "4.0"), ["URL:x\\nEND:VCARD"]);
});
