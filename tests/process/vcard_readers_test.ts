// engines: none
/**
 * Cards of other products, converted, written again and read by other programs: Debian's
 * `python3-vobject`, `libtext-vcard-perl` and `khard`, and npm's `ical.js`, whose module `ICAL_JS`
 * names. If one is not installed, its tests are ignored.
 */

import { assert, assertEquals } from "@std/assert";
import type { VcardVersion } from "../../src/families/relationship/vcard_text.ts";
import type { JsonObject } from "../../src/core/json.ts";
import {
  convertCards,
  detailsOf,
  type ReadItem,
  writeItem,
} from "../families/relationship/cards.ts";
import { SAMPLES } from "../families/relationship/card_samples.ts";

/** `NAME:value`, sorted. */
type Properties = readonly string[];

type Reader = (card: string) => Promise<Properties>;

const COMPARED = [
  "FN",
  "N",
  "NICKNAME",
  "TEL",
  "EMAIL",
  "ADR",
  "ORG",
  "TITLE",
  "URL",
  "CATEGORIES",
];

const VOBJECT = `
import sys, vobject
card = vobject.readOne(sys.stdin.buffer.read().decode("utf-8"))
for line in card.lines():
    if line.name not in "${COMPARED.join(" ")}".split(): continue
    value = line.value
    if line.name in ("N", "ADR"):
        value = ";".join(",".join(v) if isinstance(v, list) else v for v in vars(value).values())
    if isinstance(value, list): value = ";".join(value)
    print((line.name + ":" + value).replace("\\n", "|"))
`;

const PERL = `
use Text::vCard::Addressbook;
binmode STDIN, ":utf8"; binmode STDOUT, ":utf8";
my $text = do { local $/; <STDIN> };
my ($card) = Text::vCard::Addressbook->new({ source_text => $text })->vcards();
for my $name (qw(FN NICKNAME TEL EMAIL TITLE URL)) {
  for my $node (@{ $card->get($name) || [] }) { print "$name:" . $node->value . "\\n" }
}
for my $node (@{ $card->get("N") || [] }) { print "N:" . $node->family . ";" . $node->given . "\\n" }
`;

/** Returns sorted lines. */
async function run(command: string, args: readonly string[], input: string): Promise<string[]> {
  const lines = (await output(command, args, input)).split("\n");
  return lines.filter((line) => line !== "").sort();
}

async function output(command: string, args: readonly string[], input: string): Promise<string> {
  const process = new Deno.Command(command, {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { code, stdout, stderr } = await process.output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

async function canRun(command: string, ...args: readonly string[]): Promise<boolean> {
  try {
    const process = new Deno.Command(command, { args: [...args], stdout: "null", stderr: "null" });
    return (await process.output()).success;
  } catch {
    return false;
  }
}

const ICAL = Deno.env.get("ICAL_JS");

async function readWithIcal(card: string): Promise<Properties> {
  const { default: ical } = await import(`file://${ICAL}`);
  const component = new ical.Component(ical.parse(card));
  return component.getAllProperties().map(({ name, jCal }: { name: string; jCal: unknown[] }) => {
    const [, , , ...values] = jCal;
    return `${name.replace(/^.*\./, "").toUpperCase()}:${values.flat(2).join(";")}`;
  }).filter((line: string) => COMPARED.includes(line.split(":")[0] ?? "")).sort();
}

/** Installed readers with their versions of vCard. */
const READERS: readonly {
  readonly name: string;
  readonly isHere: boolean;
  readonly versions: readonly VcardVersion[];
  readonly read: Reader;
}[] = [
  {
    name: "vobject",
    isHere: await canRun("/usr/bin/python3", "-c", "import vobject"),
    versions: ["3.0", "4.0"],
    read: (card) => run("/usr/bin/python3", ["-c", VOBJECT], card),
  },
  {
    name: "ical.js",
    isHere: ICAL !== undefined,
    versions: ["3.0", "4.0"],
    read: readWithIcal,
  },
  {
    name: "Text::vCard",
    isHere: await canRun("perl", "-MText::vCard::Addressbook", "-e1"),
    versions: ["3.0"],
    read: (card) => run("perl", ["-e", PERL], card),
  },
];

/** Null if the reader does not support the version. */
function readableBy(version: VcardVersion, sample: string): boolean {
  return sample.includes(`VERSION:${version}`);
}

for (const { name, isHere, versions, read } of READERS) {
  Deno.test({
    name: `Cards of other products keep their properties, as ${name} reads them`,
    ignore: !isHere,
    async fn() {
      for (const [product, sample] of Object.entries(SAMPLES)) {
        const { items: [item], refused } = await convertCards(sample);
        assert(item !== undefined, `${product}: ${JSON.stringify(refused)}`);
        const written = [];
        for (const version of versions) {
          const again = await read(writeItem(item, version));
          written.push(again);
          if (!readableBy(version, sample)) continue;
          assertEquals(plain(again), plain(await read(sample)), `${product} ${version}`);
        }
        // Both versions have equal content.
        for (const each of written) assertEquals(plain(each), plain(written[0] ?? []), product);
        assert(written[0]?.some((line) => line.startsWith("TEL:")), product);
      }
    },
  });
}

const VOBJECT_AGAIN = `
import sys, vobject
card = vobject.readOne(sys.stdin.buffer.read().decode("utf-8"))
sys.stdout.buffer.write(card.serialize().encode("utf-8"))
`;

const PERL_AGAIN = `
use Text::vCard::Addressbook;
binmode STDIN, ":utf8"; binmode STDOUT, ":utf8";
my $text = do { local $/; <STDIN> };
print Text::vCard::Addressbook->new({ source_text => $text })->export();
`;

/** Installed programs that write a card which they have read. */
const WRITERS: readonly {
  readonly name: string;
  readonly write: (card: string) => Promise<string>;
}[] = [
  {
    name: "vobject",
    write: async (card) => (await output("/usr/bin/python3", ["-c", VOBJECT_AGAIN], card)),
  },
  {
    name: "ical.js",
    async write(card) {
      const { default: ical } = await import(`file://${ICAL}`);
      return new ical.Component(ical.parse(card)).toString();
    },
  },
  { name: "Text::vCard", write: (card) => output("perl", ["-e", PERL_AGAIN], card) },
];

for (const { name, write } of WRITERS) {
  Deno.test({
    name: `Cards that ${name} has written come in as they left`,
    ignore: !READERS.some((reader) => reader.name === name && reader.isHere),
    async fn() {
      for (const [product, sample] of Object.entries(SAMPLES)) {
        const { items: [item] } = await convertCards(sample);
        assert(item !== undefined, product);
        const { items: [again], refused } = await convertCards(await write(writeItem(item, "3.0")));
        assert(again !== undefined, `${product}: ${JSON.stringify(refused)}`);
        assertEquals([again.title, comparable(again)], [item.title, comparable(item)], product);
      }
    },
  });
}

const WRITTEN_ALIKE: readonly unknown[] = ["PHONE", "EMAIL", "ORGANIZATION", "URL", "DATE"];

/**
 * The details whose properties every program knows, without types. ical.js parts an organization at
 * `\\;`, and vobject writes the backslash of Apple's `\\:` as a text.
 */
function comparable(item: ReadItem): string[] {
  return detailsOf(item).filter(({ kind }) => WRITTEN_ALIKE.includes(kind)).map(
    ({ kind, value }) => {
      const { types: _, name, department, ...rest } = value as JsonObject;
      const parts = [kind, [name, department].filter((part) => part).join(";"), rest];
      return JSON.stringify(parts).replaceAll("\\\\:", ":");
    },
  ).sort();
}

/** Without `tel:`, `mailto:` and the escapes that readers leave. */
function plain(properties: Properties): Properties {
  return properties.map((line) =>
    line.replace(/:(?:tel|mailto):/, ":").replaceAll(/\\([:,;])/g, "$1")
  )
    .sort();
}

Deno.test({
  name: "khard lists and shows the cards of an export",
  ignore: !await canRun("khard", "--version"),
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.mkdir(`${folder}/people`);
      for (const [product, sample] of Object.entries(SAMPLES)) {
        const { items: [item] } = await convertCards(sample);
        assert(item !== undefined);
        await Deno.writeTextFile(`${folder}/people/${product}.vcf`, writeItem(item, "3.0"));
      }
      const config = `[addressbooks]\n[[people]]\npath = ${folder}/people\n` +
        "[general]\ndefault_action = list\n[vcard]\npreferred_version = 3.0\n";
      await Deno.writeTextFile(`${folder}/khard.conf`, config);
      const khard = (...args: string[]) =>
        run("khard", ["-c", `${folder}/khard.conf`, ...args], "");
      const listed = (await khard("list", "-p")).join("\n");
      for (
        const word of ["Lena Marie Andersen", "Bo Ek", "Cy Cole", "花子 山田", "Dana Diaz"]
      ) {
        assert(listed.includes(word), `${word}: ${listed}`);
      }
      const shown = (await khard("show", "Andersen")).join("\n");
      for (const word of ["+49 170 1234567", "Lake house", "Lange Straße 1", "Sea & Sons, Inc."]) {
        assert(shown.includes(word), `${word}: ${shown}`);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
