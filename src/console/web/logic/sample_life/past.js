/** The memories and life events of the sample life. */

import { BIRTHDAY, DEATH, item, WEDDING } from "./calendar.js";

/** @type {LifePart} */
export function memories({ memories, tags: { family, water, garden } }, on) {
  const memory = (
    /** @type {string} */ key,
    /** @type {object} */ time,
    memoryType = "EVENT",
    /** @type {string[]} */ tags = [],
    importance = 3,
  ) => {
    const { title, text, time: timeText } = memories[key] ?? { title: key, text: key };
    const payload = {
      memoryType,
      originalContent: text,
      importance,
      ...time,
      ...(timeText && { timeText }),
    };
    return item(`memory-${key}`, "memory", title, payload, tags);
  };
  const day = (/** @type {string} */ occurredAt) => ({ occurredAt, timePrecision: "DAY" });
  return [
    memory("ice", { timePrecision: "LIFE_PERIOD" }, "PLACE", [family, water], 5),
    memory("kitchen", { occurredAt: on.in(-37), timePrecision: "DECADE" }, "PLACE", [family]),
    memory("bicycle", { occurredAt: on.in(-34), timePrecision: "SEASON" }, "STORY", [family]),
    memory("train", { occurredAt: on.in(-24), timePrecision: "YEAR" }),
    memory(
      "suitcase",
      { occurredAt: on.in(-19, 9), timePrecision: "MONTH" },
      "PERSON",
      [family],
      4,
    ),
    memory("born", day(on.anniversary(-12, 5, BIRTHDAY)), "EVENT", [family], 5),
    memory("move", day(on.at(-3_320)), "PLACE", [family, garden], 4),
    memory("emil", day(on.anniversary(-6, 12, DEATH + 4)), "PERSON", [family], 5),
    memory("lighthouse", day(on.anniversary(-6, 15)), "EVENT", [family, water], 4),
    memory("rejected", day(on.at(-1_390)), "LESSON", [], 4),
    memory(
      "island",
      { occurredAt: on.in(-3), timePrecision: "SEASON" },
      "EVENT",
      [family, water],
      4,
    ),
    memory("dark", day(on.anniversary(-1, 20)), "EVENT", [family]),
    memory("waiting", day(on.at(-70)), "FEELING", [family]),
    memory("dream", { occurredAt: on.at(-40, 4, 30), timePrecision: "EXACT" }, "DREAM", [water]),
    memory("chess", { occurredAt: on.at(-12, 18), timePrecision: "EXACT" }, "STORY", [garden]),
    memory("reading", { occurredAt: on.at(-5, 20, 15), timePrecision: "EXACT" }, "EVENT", [family]),
  ];
}

/** @type {LifePart} */
export function events({ events }, on) {
  /** @type {[string, string, string, string][]} */
  const all = [
    ["birth", "BIRTH", on.in(-45), "YEAR"],
    ["school", "EDUCATION", on.in(-26, 5), "MONTH"],
    ["south", "RESIDENCE", on.in(-24), "YEAR"],
    ["library", "WORK", on.in(-16, 2), "MONTH"],
    ["wedding", "RELATIONSHIP", on.anniversary(-17, 11, WEDDING), "DAY"],
    ["mia", "FAMILY", on.anniversary(-12, 5, BIRTHDAY), "DAY"],
    ["house", "RESIDENCE", on.at(-3_320), "DAY"],
    ["loss", "LOSS", on.anniversary(-6, 9, DEATH), "DAY"],
  ];
  return all.map(([key, eventType, startAt, timePrecision]) => {
    const [eventTitle = key, eventDescription = key] = events[key] ?? [];
    const payload = { eventType, eventTitle, eventDescription, startAt, timePrecision };
    return item(`event-${key}`, "timeline", eventTitle, payload);
  });
}
