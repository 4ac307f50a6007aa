/** The frame of every page: the places. */

import { byId, fill, h, link } from "../base/elements.js";
import { numberText, t } from "../base/language.js";
import { get } from "../base/reads.js";
import { may, session } from "../base/session.js";
import { notLoaded } from "../base/visits.js";
import { icon } from "../base/icons.js";
import { KINDS, label, modulePath, PLACES } from "../names.js";
import { AUTHORIZE, findPage } from "./pages.js";

export const DRAFTS = "/console/drafts";

/** True while the bar at the foot is shown. */
const isNarrow = () => matchMedia("(max-width: 59.99rem)").matches;

/** Identifies the drawn frame, so that a visit only moves the mark. */
let drawn = "";

/**
 * The places: a side bar on wide screens, a sheet and a bar at the foot on narrow ones.
 * @param {string} path @param {() => void} leave
 */
export function drawFrame(path, leave) {
  if (path === AUTHORIZE) return;
  const { accountId, email } = session().account;
  const shown = `${document.documentElement.lang} ${accountId} ${email}`;
  if (shown !== drawn || document.querySelector("header nav") === null) draw(leave);
  drawn = shown;
  markPlace(path);
}

/** @param {() => void} leave */
function draw(leave) {
  const out = async () => {
    const { askSignOut } = await import("../background/sign_out.js").catch(notLoaded);
    if (await askSignOut()) leave();
  };
  const choose = async () => {
    sheet.hidePopover();
    const { openPalette } = await import("../background/palette.js").catch(notLoaded);
    await openPalette();
  };
  const { account: { email } } = session();
  const places = /** @type {Place[]} */ (Object.keys(PLACES)).filter((one) => one !== "account");
  const palette = { "aria-keyshortcuts": "Control+K", onclick: choose };
  const sheet = h(
    "div",
    { id: "places", popover: "auto", ontoggle: focusPlace, onclick: closeSheet },
    addButton(),
    h("ul", places.map(entry)),
    h("ul.below", entry("account")),
    h("button", palette, icon("goTo"), t("goTo"), h("kbd", "Ctrl K")),
    h("button", { onclick: out }, icon("leave"), t("signOut")),
    h("p.quiet.small", { title: email }, email),
  );
  fill(
    byId("head"),
    h(
      "nav",
      { "aria-label": t("pages") },
      h("button", { popovertarget: "places" }, icon("menu"), t("menu")),
      sheet,
      h("a", { href: DRAFTS, id: "waiting", hidden: true }, icon("drafts"), t("drafts")),
    ),
    h(
      "nav.quick",
      { "aria-label": t("quickPlaces") },
      quickLink("home"),
      quickLink("search"),
      addButton(),
      quickLink("people"),
      quickLink("memories"),
    ),
  );
}

/** A link of the bar at the foot of narrow screens. @param {Place} place */
function quickLink(place) {
  return h("a", { href: PLACES[place], id: `quick-${place}` }, icon(place), h("span", t(place)));
}

function addButton() {
  return may("record.write") &&
    h(
      "button.adds",
      { "aria-label": t("add"), onclick: openAdd },
      icon("add"),
      h("span", t("add")),
    );
}

/** Asks what to add. */
export async function openAdd() {
  byId("places").hidePopover();
  const { openAddDialog } = await import("../../fields/add_line/dialog.js").catch(notLoaded);
  await openAddDialog();
}

/** @param {Place} place */
function entry(place) {
  const id = `place-${place}`;
  const named = [icon(place), t(place)];
  if (place !== "records") return h("li", h("a", { href: PLACES[place], id }, named));
  const states = { "aria-expanded": "false", "aria-controls": "kinds" };
  const open = () => void openKinds(kinds.hidden !== false);
  const kinds = h("div", { id: "kinds", hidden: true });
  return h("li", h("button", { id, ...states, onclick: open }, named, icon("more")), kinds);
}

/** Each navigation that is shown marks the entry of a page. @param {string} path */
export function markPlace(path) {
  const present = findPage(path)?.place ?? null;
  for (const place of Object.keys(PLACES)) {
    const isPresent = place === present;
    setCurrent(document.getElementById(`place-${place}`), isPresent, path);
    setCurrent(document.getElementById(`quick-${place}`), isPresent && isNarrow(), path);
  }
  for (const link of document.querySelectorAll("#kinds a")) {
    const start = link.getAttribute("href") ?? "";
    link.classList.toggle("here", present === "records" && `${path}/`.startsWith(`${start}/`));
  }
  const waiting = document.getElementById("waiting");
  setCurrent(waiting, path === DRAFTS, path);
  if (waiting !== null && path === DRAFTS) waiting.hidden = false;
}

/** @param {Element | null} element @param {boolean} isCurrent @param {string} path */
function setCurrent(element, isCurrent, path) {
  if (!isCurrent) return element?.removeAttribute("aria-current");
  const isPage = element?.getAttribute("href") === path;
  element?.setAttribute("aria-current", isPage ? "page" : "true");
}

/** @param {ToggleEvent} event */
function focusPlace({ newState }) {
  const sheet = byId("places");
  const first = sheet.querySelector("[aria-current]") ?? sheet.querySelector("a");
  // The event comes late: scrolling would move the link under the finger.
  if (newState === "open" && first instanceof HTMLElement) first.focus({ preventScroll: true });
}

/** Following a link closes the sheet, also one to the present page. @param {MouseEvent} event */
function closeSheet({ target }) {
  if (target instanceof Element && target.closest("a") !== null) byId("places").hidePopover();
}

/** Folds the empty kinds, unless all are. @param {ReadonlyMap<string, number>} counts By kind. */
export function drawKinds(counts) {
  const countOf = (/** @type {string} */ code) => counts.get(code) ?? 0;
  const codes = Object.values(KINDS).flat();
  const isNew = codes.every((code) => countOf(code) === 0);
  const isEmpty = (/** @type {string} */ code) => !isNew && countOf(code) === 0;
  const empty = codes.filter(isEmpty);
  const line = (/** @type {string} */ code) => {
    const count = countOf(code) > 0 && h("span.quiet.small", numberText(countOf(code)));
    return h("li", link(modulePath(code), label(code)), count);
  };
  const groups = Object.entries(KINDS).flatMap(([group, codes]) => {
    const lines = codes.filter((code) => !isEmpty(code)).map(line);
    return lines.length === 0
      ? []
      : [h("p", label(group)), h("ul", { "aria-label": label(group) }, lines)];
  });
  const folded = [h("summary", t("noRecordsYet")), h("ul", empty.map(line))];
  fill(byId("kinds"), groups, h("details", { hidden: empty.length === 0 }, ...folded));
  markPlace(location.pathname);
}

/** @param {boolean} isOpen */
async function openKinds(isOpen) {
  byId("kinds").hidden = !isOpen;
  byId("place-records").setAttribute("aria-expanded", String(isOpen));
  if (!isOpen) return;
  const { items } = await get("/api/v2/record-counts");
  drawKinds(new Map(items.map(({ moduleCode, count }) => [moduleCode, count])));
}
