/** The places of the console: a side bar on wide screens, a sheet on narrow ones. */

import { KINDS, modulePath, placeOf, PLACES } from "../logic/addresses.js";
import { label } from "../logic/labels.js";
import { send } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { notLoaded } from "./not_loaded.js";
import { numberText, t, timeText } from "./text.js";

const DRAFTS = "/console/drafts";

/** @typedef {import("../logic/addresses.js").Place} Place */

/** Identifies what the frame shows, so that a visit only moves the mark. */
let drawn = "";

/**
 * @param {import("./session.js").Session} session
 * @param {string} path
 * @param {() => void} leave Called after the session has ended.
 */
export function drawFrame(session, path, leave) {
  const { accountId, email } = session.account;
  const shown = `${document.documentElement.lang} ${accountId} ${email}`;
  if (shown !== drawn || document.querySelector("header nav") === null) draw(leave);
  drawn = shown;
  fill(byId("foot"), email);
  markPlace(path);
}

/** @param {() => void} leave */
function draw(leave) {
  const out = async () => {
    const { askSignOut } = await import("./sign_out.js").catch(notLoaded);
    if (await askSignOut()) leave();
  };
  const choose = async () => {
    sheet.hidePopover();
    const { openPalette } = await import("./palette.js").catch(notLoaded);
    await openPalette();
  };
  const sheet = h(
    "div",
    { id: "places", popover: "auto", ontoggle: focusPlace, onclick: closeSheet },
    h("ul", {}, /** @type {Place[]} */ (Object.keys(PLACES)).map(entry)),
    h(
      "div",
      { class: "below" },
      h(
        "button",
        { type: "button", class: "plain", "aria-keyshortcuts": "Control+K", onclick: choose },
        icon("more"),
        t("goTo"),
        h("kbd", {}, "Ctrl K"),
      ),
      h("button", { type: "button", class: "plain", onclick: out }, icon("leave"), t("signOut")),
    ),
  );
  fill(
    byId("head"),
    h(
      "nav",
      { "aria-label": t("pages") },
      h("button", { type: "button", popovertarget: "places" }, icon("menu"), t("menu")),
      sheet,
      h(
        "a",
        { href: DRAFTS, id: "waiting", hidden: true },
        icon("drafts"),
        t("drafts"),
      ),
    ),
  );
}

/** @param {Place} place */
function entry(place) {
  if (place !== "records") {
    return h(
      "li",
      {},
      h("a", { href: PLACES[place][0], id: `place-${place}` }, icon(place), t(place)),
    );
  }
  const open = () => void openKinds(kinds.hidden !== false);
  const kinds = h("div", { id: "kinds", hidden: true });
  const button = h(
    "button",
    {
      type: "button",
      id: `place-${place}`,
      "aria-expanded": false,
      "aria-controls": "kinds",
      onclick: open,
    },
    icon(place),
    t(place),
    icon("more"),
  );
  return h("li", {}, button, kinds);
}

/** Marks the place of a page. @param {string} path */
export function markPlace(path) {
  const present = placeOf(path);
  for (const place of Object.keys(PLACES)) {
    setCurrent(document.getElementById(`place-${place}`), place === present, path);
  }
  for (const link of document.querySelectorAll("#kinds a")) {
    const start = link.getAttribute("href") ?? "";
    link.classList.toggle("here", present === "records" && `${path}/`.startsWith(`${start}/`));
  }
  const waiting = document.getElementById("waiting");
  setCurrent(waiting, path === DRAFTS, path);
  if (waiting !== null && path === DRAFTS) waiting.hidden = false;
}

/**
 * @param {Element | null} element
 * @param {boolean} isCurrent
 * @param {string} path
 */
function setCurrent(element, isCurrent, path) {
  if (!isCurrent) element?.removeAttribute("aria-current");
  else {element?.setAttribute(
      "aria-current",
      element.getAttribute("href") === path ? "page" : "true",
    );}
}

/** Shows the link to the drafts while something waits. @param {boolean} isWaiting */
export function showWaiting(isWaiting) {
  const link = document.getElementById("waiting");
  if (link !== null) link.hidden = !isWaiting && location.pathname !== DRAFTS;
}

/** @param {ToggleEvent} event */
function focusPlace({ newState }) {
  const sheet = byId("places");
  const first = sheet.querySelector("[aria-current]") ?? sheet.querySelector("a");
  // The event comes late: scrolling would move what is about to be pressed.
  if (newState === "open" && first instanceof HTMLElement) first.focus({ preventScroll: true });
}

/** Following a link closes the sheet, also one to the present page. @param {MouseEvent} event */
function closeSheet({ target }) {
  if (target instanceof Element && target.closest("a") !== null) byId("places").hidePopover();
}

/** Draws the kinds of records, once their labels are loaded. */
export function drawKinds() {
  fill(
    byId("kinds"),
    Object.entries(KINDS).flatMap(([group, codes]) => [
      h("p", {}, label(group)),
      h("ul", { "aria-label": label(group) }, codes.map(kind)),
    ]),
    h("details", { hidden: true }, h("summary", {}, t("noRecordsYet")), h("ul", {})),
  );
  markPlace(location.pathname);
}

/** @param {string} code */
function kind(code) {
  return h("li", {}, h("a", { href: modulePath(code) }, label(code)));
}

/** @param {boolean} isOpen */
async function openKinds(isOpen) {
  byId("kinds").hidden = !isOpen;
  byId("place-records").setAttribute("aria-expanded", String(isOpen));
  if (!isOpen) return;
  const { data } = await send("GET", "/api/v2/record-counts");
  showCounts(
    new Map(data.items.map(
      (/** @type {{ moduleCode: string, count: number }} */ { moduleCode, count }) => [
        modulePath(moduleCode),
        count,
      ],
    )),
  );
}

/** Folds the empty kinds, unless all are. @param {ReadonlyMap<string, number>} counts By path. */
function showCounts(counts) {
  drawKinds();
  const kinds = byId("kinds");
  const isNew = [...counts.values()].every((count) => count === 0);
  const folded = kinds.querySelector("details");
  for (const link of kinds.querySelectorAll("li > a")) {
    const count = counts.get(link.getAttribute("href") ?? "") ?? 0;
    const line = link.parentElement;
    if (count > 0) line?.append(h("span", { class: "quiet small" }, numberText(count)));
    else if (!isNew) folded?.lastElementChild?.append(line ?? "");
  }
  for (const list of kinds.querySelectorAll(":scope > ul:empty")) {
    list.previousElementSibling?.remove();
    list.remove();
  }
  if (folded !== null) folded.hidden = folded.lastElementChild?.childElementCount === 0;
}

/** Sets the printing time and unfolds folded parts. */
export function startPrinting() {
  /** @type {HTMLDetailsElement[]} */
  let unfolded = [];
  addEventListener("beforeprint", () => {
    fill(byId("printed"), t("printedAt", { time: timeText(Date.now()) }));
    unfolded = [...document.querySelectorAll("details")].filter((details) =>
      details.closest(".history") !== null && !details.open
    );
    for (const details of unfolded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of unfolded) details.open = false;
  });
}
