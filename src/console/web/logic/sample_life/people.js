/** The people of the sample life. */

import { BIRTHDAY, DEATH, item, WEDDING } from "./calendar.js";

/** @type {LifePart} */
export function people({ people, phones: [first = "", second = "", third = "", fourth = ""] }, on) {
  const phone = (/** @type {string} */ value) => ({
    kind: "PHONE",
    value: { value, types: ["cell"] },
  });
  const mail = (/** @type {string} */ value) => ({ kind: "EMAIL", value: { value } });
  const date = (/** @type {string} */ what, /** @type {string} */ date) => {
    return { kind: "DATE", value: { what, date } };
  };
  const person = (
    /** @type {string} */ key,
    /** @type {object} */ fields,
    /** @type {object[]} */ details,
    /** @type {[days: number, hour: number, channel: string][]} */ contacts = [],
  ) => {
    const { name, note, contacts: notes } = people[key] ?? { name: key, contacts: [] };
    return item(`person-${key}`, "person", name, {
      ...fields,
      details,
      contacts: contacts.map(([days, hour, channel], index) => {
        const contactedAt = on.at(-days, hour);
        return { contactedAt, channel, direction: "MUTUAL", note: notes[index] };
      }),
      ...(note &&
        { experiences: [{ title: note[0], narrative: note[1], timePrecision: "UNKNOWN" }] }),
    });
  };
  const { street, town } = people.ruth ?? {};
  const address = { kind: "ADDRESS", value: { street, locality: town } };
  const work = { kind: "ORGANIZATION", value: { name: people.leyla?.company } };
  const family = { relationshipType: "FAMILY", importance: 5 };
  const friend = { relationshipType: "FRIEND", importance: 4 };
  return [
    person(
      "ruth",
      { ...family, desiredContactIntervalDays: 7 },
      [phone(first), address, date("BIRTHDAY", on.day(-71, 40))],
      [[9, 18, "CALL"], [23, 13, "IN_PERSON"], [31, 19, "CALL"]],
    ),
    person("jonah", { relationshipType: "PARTNER", importance: 5 }, [
      date("BIRTHDAY", on.day(-46, 150)),
      date("ANNIVERSARY", on.day(-17, WEDDING)),
    ]),
    person("mia", family, [date("BIRTHDAY", on.day(-12, BIRTHDAY))]),
    person(
      "tom",
      { ...family, desiredContactIntervalDays: 14 },
      [phone(second), mail("tom@example.org"), date("BIRTHDAY", on.day(-41, 5))],
      [[17, 20, "VIDEO"]],
    ),
    person(
      "ines",
      { ...friend, desiredContactIntervalDays: 30 },
      [mail("ines@example.org"), phone(third)],
      [[32, 21, "MESSAGE"]],
    ),
    person("brandt", { ...friend, relationshipType: "COMMUNITY" }, [phone(fourth)], [[
      12,
      17,
      "IN_PERSON",
    ]]),
    person(
      "leyla",
      { relationshipType: "COLLEAGUE", importance: 3, desiredContactIntervalDays: 60 },
      [work],
      [[20, 17, "IN_PERSON"]],
    ),
    person("emil", family, [date("BIRTHDAY", on.day(-97, -80)), date("DEATH", on.day(-6, DEATH))]),
  ];
}
