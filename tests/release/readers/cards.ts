/** Programs that read cards. */

import { compiled, HERE, inFolder, PACKAGES, PYTHON, run } from "./programs.ts";
import { askThunderbird } from "./thunderbird.ts";

/** Texts as the program shows them; empty if it shows nothing. */
export interface ShownCard {
  readonly name: string;
  readonly birthday: string;
  readonly anniversary: string;
  /** Numbers, after their labels. */
  readonly numbers: string;
  readonly hasPicture: boolean;
}

export interface CardReader {
  readonly name: string;
  /** As in `versionOf`. */
  readonly package: string;
  readonly read: (cards: readonly string[]) => Promise<ShownCard[]>;
}

type Shown = readonly [string, string, string, string, boolean];

/** A program that prints the cards of its input as lists. */
function printer(program: string | Promise<string>, ...args: string[]): CardReader["read"] {
  return async (cards) => {
    const lists: Shown[] = JSON.parse(await run(await program, args, { input: cards.join("") }));
    return lists.map(([name, birthday, anniversary, numbers, hasPicture]) => (
      { name, birthday, anniversary, numbers, hasPicture }
    ));
  };
}

export const CARD_READERS: readonly CardReader[] = [
  { name: "Thunderbird", package: "thunderbird", read: readByThunderbird },
  {
    name: "ical.js",
    package: "npm:ical.js",
    read: printer("node", `${HERE}cards.mjs`, PACKAGES ?? "", "shown"),
  },
  {
    name: "vobject",
    package: "python3-vobject",
    read: printer(PYTHON, `${HERE}cards.py`, "vobject"),
  },
  {
    name: "EDS",
    package: "gir1.2-ebookcontacts-1.2",
    read: printer(PYTHON, `${HERE}cards.py`, "eds"),
  },
  {
    name: "KContacts",
    package: "libkf5contacts-dev",
    read: async (cards) => await printer(compiled("cards.cpp", "Contacts"))(cards),
  },
  {
    name: "sabre",
    package: "php-sabre-vobject",
    read: printer("php", "-d", "error_reporting=1", `${HERE}cards.php`),
  },
  { name: "khard", package: "khard", read: readByKhard },
  { name: "khal", package: "khal", read: readByKhal },
];

/** Libraries, and the properties of each card: `NAME:value`, sorted. */
export const PROPERTY_READERS: readonly {
  readonly name: string;
  readonly package: string;
  readonly read: (cards: readonly string[]) => Promise<string[][]>;
}[] = [
  {
    name: "vobject",
    package: "python3-vobject",
    read: async (cards) =>
      JSON.parse(await run(PYTHON, [`${HERE}cards.py`, "properties"], { input: cards.join("") })),
  },
  {
    name: "ical.js",
    package: "npm:ical.js",
    read: async (cards) => {
      const args = [`${HERE}cards.mjs`, PACKAGES ?? "", "properties"];
      return JSON.parse(await run("node", args, { input: cards.join("") }));
    },
  },
];

async function readByThunderbird(cards: readonly string[]): Promise<ShownCard[]> {
  const shown = await askThunderbird("cards", cards.join(""));
  return shown.map((
    { name, lines, numbers, hasPicture }: {
      name: string;
      lines: string[];
      numbers: string[];
      hasPicture: boolean;
    },
  ) => {
    const after = (word: string) =>
      lines.find((line) => line.startsWith(word))?.slice(word.length).trim() ?? "";
    return {
      name,
      birthday: after("Birthday"),
      anniversary: after("Anniversary"),
      numbers: numbers.join(" "),
      hasPicture,
    };
  });
}

async function writeCards(folder: string, cards: readonly string[]): Promise<void> {
  await Deno.mkdir(`${folder}/people`);
  for (const [index, card] of cards.entries()) {
    await Deno.writeTextFile(`${folder}/people/${index}.vcf`, card);
  }
}

function nameOf(card: string): string {
  return /^FN:(.*)\r$/m.exec(card)?.[1] ?? "";
}

function readByKhard(cards: readonly string[]): Promise<ShownCard[]> {
  return inFolder(async (home) => {
    await writeCards(home, cards);
    const version = /^VERSION:(.*)\r$/m.exec(cards[0] ?? "")?.[1];
    const settings = `[addressbooks]\n[[people]]\npath = ${home}/people\n` +
      `[vcard]\npreferred_version = ${version}\n`;
    await Deno.writeTextFile(`${home}/khard.conf`, settings);
    const shown = [];
    for (const card of cards) {
      const query = `uid:${/^UID:(.*)\r$/m.exec(card)?.[1]}`;
      const text = await run("khard", ["-c", `${home}/khard.conf`, "show", query], { home });
      const after = (word: string) => new RegExp(`^ *${word}: (.*)$`, "m").exec(text)?.[1] ?? "";
      shown.push({
        name: after("Name"),
        birthday: after("Birthday"),
        anniversary: after("Anniversary"),
        numbers: /^Phone\n((?: {4}.*\n)+)/m.exec(text)?.[1]?.trim().replaceAll(/\s+/g, " ") ?? "",
        hasPicture: false,
      });
    }
    return shown;
  });
}

/** Returns the birthdays and anniversaries of 2027. */
function readByKhal(cards: readonly string[]): Promise<ShownCard[]> {
  return inFolder(async (home) => {
    await writeCards(home, cards);
    const settings =
      `[calendars]\n[[people]]\npath = ${home}/people\ntype = birthdays\n[sqlite]\npath = ${home}/db\n` +
      "[locale]\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\n";
    await Deno.writeTextFile(`${home}/khal.conf`, settings);
    const format = ["--once", "--day-format", "", "--format", "{start-long} {title}"];
    const args = ["-c", `${home}/khal.conf`, "list", ...format, "2027-01-01", "2027-12-31"];
    const lines = (await run("khal", args, { home })).split("\n");
    return cards.map((card) => {
      const own = lines.filter((line) => line.includes(` ${nameOf(card)}'s `));
      const of = (word: RegExp) =>
        own.filter((line) => word.test(line))
          .map((line) => line.replace(` ${nameOf(card)}'s`, "")).join(", ");
      return {
        name: nameOf(card),
        birthday: of(/birthday/),
        anniversary: of(/anniversary/i),
        numbers: "",
        hasPicture: false,
      };
    });
  });
}
