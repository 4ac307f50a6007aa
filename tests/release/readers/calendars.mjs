// Prints the events of a calendar as a library reads them:
// calendars.mjs PACKAGES LIBRARY < CALENDAR
import { readFileSync } from "node:fs";

const [packages, library] = process.argv.slice(2);
const text = readFileSync(0, "utf8");
const day = (date) => date.toISOString().slice(0, 10);
const second = (date) => date.toISOString().replace(".000Z", "Z");

const LIBRARIES = {
  async "ical.js"() {
    const { default: ICAL } = await import(`${packages}/ical.js/dist/ical.js`);
    const root = new ICAL.Component(ICAL.parse(text));
    for (const zone of root.getAllSubcomponents("vtimezone")) {
      ICAL.TimezoneService.register(zone.getFirstPropertyValue("tzid"), new ICAL.Timezone(zone));
    }
    const written = (time) => time.isDate ? time.toString() : second(time.toJSDate());
    return root.getAllSubcomponents("vevent").map((component) => new ICAL.Event(component))
      .map((event) => [event.summary, written(event.startDate), written(event.endDate)]);
  },
  async "node-ical"() {
    const { default: ical } = await import(`${packages}/node-ical/node-ical.js`);
    return Object.values(ical.sync.parseICS(text)).filter(({ type }) => type === "VEVENT")
      .map(({ start, end, datetype, summary }) => {
        const written = datetype === "date" ? localDay : second;
        return [summary, written(start), written(end)];
      });
  },
  async "ts-ics"() {
    const { convertIcsCalendar } = await import(`${packages}/ts-ics/dist/index.js`);
    const written = ({ date, type }) => type === "DATE" ? day(date) : second(date);
    return convertIcsCalendar(undefined, text).events
      .map(({ start, end, summary }) => [summary, written(start), written(end)]);
  },
};

function localDay(date) {
  return day(new Date(date.getTime() - date.getTimezoneOffset() * 60_000));
}

process.stdout.write(JSON.stringify(await LIBRARIES[library]()));
