// Prints cards as ical.js reads them: cards.mjs PACKAGES shown|properties < CARDS
import { readFileSync } from "node:fs";

const [packages, question] = process.argv.slice(2);
const { default: ICAL } = await import(`${packages}/ical.js/dist/ical.js`);

const QUESTIONS = {
  /** Returns name, birthday, anniversary, numbers, and whether there is a picture. */
  shown(lines) {
    const all = (...names) => lines.filter(({ name }) => names.includes(name));
    const first = (...names) => String(all(...names)[0]?.getFirstValue() ?? "");
    const group = (line) => line.getFirstParameter("group");
    const labels = new Map(all("x-ablabel").map((line) => [group(line), line.getFirstValue()]));
    const phones = all("tel").map((line) =>
      `${labels.get(group(line)) ?? ""} ${line.getFirstValue()}`.trim()
    );
    return [
      first("fn"),
      first("bday"),
      first("anniversary", "x-anniversary"),
      phones.join(" "),
      all("photo").length > 0,
    ];
  },
  properties: (lines) =>
    lines.map(({ name, jCal: [, , , ...values] }) =>
      `${name.toUpperCase()}:${values.flat(2).join(";")}`
    ).sort(),
};

const cards = ICAL.parse(readFileSync(0, "utf8"));
const all = cards[0] === "vcard" ? [cards] : cards;
process.stdout.write(
  JSON.stringify(
    all.map((card) => QUESTIONS[question](new ICAL.Component(card).getAllProperties())),
  ),
);
