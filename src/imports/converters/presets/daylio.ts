/** `daylio`: the entries of Daylio, with the mood of each. */

import { isBlank } from "../../../validate/text.ts";
import { cleanLine, withLongTitle } from "../apps/clean_text.ts";
import { withDetails } from "../apps/item_details.ts";
import type { SourceItem } from "../converter.ts";
import { healthItem } from "./measurement.ts";
import { rowPreset } from "./preset.ts";
import { requireTime } from "./preset_times.ts";
import { writtenText } from "./written_text.ts";

/** The moods that an installation has at first. */
const LEVELS: ReadonlyMap<string, number> = new Map([
  ["rad", 5],
  ["good", 4],
  ["meh", 3],
  ["bad", 2],
  ["awful", 1],
]);

export const DAYLIO = rowPreset({
  name: "daylio",
  knows: (head) => head.has("full_date", "mood", "activities"),
  target: "memory",
  async convertRow(row, context) {
    const { mapping } = context;
    const time = requireTime(`${row.text("full_date")} ${row.text("time")}`, mapping);
    row.ignore("date", "weekday");
    const mood = row.text("mood");
    // `YYYY-MM-DDTHH:MM`
    const key = time.key.slice(0, 16);
    const title = cleanLine(row.firstText("note_title", "mood")) || time.key.slice(0, 10);
    const note = await writtenText(row.text("note"), context);
    const words = withDetails(withLongTitle(note, title), [["Mood", mood]]);
    const level = levelOf(mood, mapping.moods);
    const memory: SourceItem = {
      members: {
        key,
        target: "memory",
        title,
        payload: {
          memoryType: "EVENT",
          originalContent: isBlank(words) ? title : words,
          occurredAt: time.text,
          timePrecision: time.isDay ? "DAY" : "EXACT",
        },
        tags: [...row.list("activities", "|")],
      },
      isTitleInText: true,
    };
    if (mood !== "" && level === undefined) row.count("mood");
    if (level === undefined) return [memory];
    const measured = { metricType: "MOOD", value: level, unit: "of 5", time, key: `${key}#mood` };
    return [memory, healthItem({ ...measured, quality: "SELF_REPORTED" }, mapping)];
  },
});

function levelOf(mood: string, own: ReadonlyMap<string, number>): number | undefined {
  const word = mood.toLowerCase();
  return own.get(word) ?? LEVELS.get(word);
}
