/** Ways to export from other products, and the content that comes over. */

import { fill, h, link } from "../core/base/elements.js";
import { t, textOf } from "../core/base/language.js";
import { lineField } from "../fields/controls/lines.js";
import { PAGE } from "./import_parts.js";
import { settingFold, settingGroup } from "../fields/controls/settings.js";

/**
 * Names of products, by the word that their sentences begin with; empty for several products, which
 * the sentences name.
 * @type {Texts}
 */
const PRODUCTS = {
  health: "Apple Health",
  bear: "Bear",
  contacts: "",
  calendars: "",
  dayOne: "Day One",
  daylio: "Daylio",
  evernote: "Evernote",
  watches: "Fitbit, Garmin, Withings",
  books: "Goodreads, StoryGraph",
  keep: "Google Keep",
  timeline: "Google Maps Timeline",
  joplin: "Joplin",
  journey: "Journey",
  loop: "Loop Habit Tracker",
  monica: "Monica 4",
  notion: "Notion",
  obsidian: "Obsidian",
  pocket: "Pocket",
  readwise: "Readwise",
  table: "",
};

/** @type {SyncPage} */
export function comingFromPage() {
  return {
    title: t("comingFrom"),
    body: [
      h("p", t("comingFromText"), " ", link(PAGE, t("imports"))),
      settingGroup(
        Object.entries(PRODUCTS).map(([word, name]) =>
          settingFold(
            { name: textOf(`from.${word}`, "") || h("span", { translate: "no" }, name) },
            [
              h("p", textOf(`from.${word}.how`)),
              word === "monica" && monicaCommands(),
              h("p", textOf(`from.${word}.comes`)),
              h("p.quiet", textOf(`from.${word}.stays`)),
            ],
          )
        ),
      ),
    ],
  };
}

/** The commands, with the address of the owner's Monica filled in. */
function monicaCommands() {
  const address = lineField({
    name: "address",
    label: t("monicaAddress"),
    required: true,
    initial: "app.monicahq.com",
  });
  const commands = h("pre.exact", { translate: "no", tabindex: 0 });
  const show = () => {
    const host = address.text().replaceAll(/[\s'"]/g, "");
    const from = host.includes(":") ? host : URL.parse(`https:${host}`)?.origin ?? host;
    const lines = [
      `prs login ${location.origin}`,
      `prs fetch monica --from '${from}' --token-file token.txt --out monica`,
      "prs import monica/monica-4.json",
    ];
    fill(commands, lines.join("\n"));
  };
  address.element.addEventListener("input", show);
  show();
  return h("div", address.element, h("div.field", commands));
}
