/** Today: at most eight requests, with that of the session. */

import { ApiError } from "../../core/base/api.js";
import { fill, h } from "../../core/base/elements.js";
import { failureText, t } from "../../core/base/language.js";
import { may } from "../../core/base/session.js";
import { dateText } from "../../fields/shown/times.js";
import { captureSection } from "../captures/box.js";
import { doors } from "./doors.js";
import { dueAhead } from "./due.js";
import { moodSection } from "./mood.js";
import { changedLately, lastCaptures, memoriesOfDay } from "./past.js";
import { peopleToCall } from "./people.js";
import { waitingForYou } from "./waiting.js";

/** @type {SyncPage} */
export function homePage() {
  const mayRead = may("record.read");
  const mayWrite = may("record.write");
  const capture = mayWrite && captureSection("/").element;
  const before = [
    mayRead && part(dueAhead),
    may("relationship.person.read") && part(peopleToCall, "aside"),
    part(waitingForYou),
  ];
  const after = [
    mayWrite && part(lastCaptures),
    may("memory.read") && part(memoriesOfDay, "aside"),
  ];
  const changed = may("audit.read") && part(changedLately, "aside");
  const parts = [...before, ...after].filter((each) => each !== false);
  return {
    title: t("home"),
    body: [
      h("p.quiet", dateText(new Date())),
      h(
        "div.two",
        capture,
        mayRead && doors(parts.map(({ isEmpty }) => isEmpty), capture, placeOf(changed)),
        before.map(placeOf),
        mayWrite && moodSection(),
        [...after, changed].map(placeOf),
      ),
    ],
  };
}

/** @param {false | { place: Element }} part */
function placeOf(part) {
  return part && part.place;
}

/**
 * A part that is read once the page is shown.
 * @param {() => Promise<readonly Child[]>} make
 * @param {"aside"} [column] The second one of a wide screen.
 */
function part(make, column) {
  const place = h("div", { class: column, "aria-busy": "true" }, h("p.quiet", t("loading")));
  const read = async () => {
    const children = await make().catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      place.classList.add("failed");
      return [h("p.quiet", failureText(error.code))];
    });
    place.removeAttribute("aria-busy");
    fill(place, children);
    return children.length === 0;
  };
  return { place, isEmpty: read() };
}
