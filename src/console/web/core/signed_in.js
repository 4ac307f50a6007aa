/** Loaded for signed-in pages only: the frame, and every page. */

import { blockLeaving, startWatching } from "./acts.js";
import {
  announce,
  ApiError,
  byId,
  failureText,
  fill,
  get,
  h,
  link,
  loadArea,
  loadFailures,
  notLoaded,
  numberText,
  once,
  session,
  t,
} from "./base.js";
import { timeText } from "../fields/shown.js";
import {
  KINDS,
  label,
  loadLabels,
  missing,
  modulePath,
  notFound,
  placeOf,
  PLACES,
} from "./names.js";

/** Icons, on a grid of 24. */
const PATHS = {
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-3.6 3.7-5.5 7.5-5.5s6.7 1.9 7.5 5.5",
  calendar: "M4 6h16v14H4zM4 10.5h16M8.5 3.5v4M15.5 3.5v4",
  decisions: "M6 3.5v17M6 6h11l3 3-3 3H6M18 16.5H6",
  drafts: "M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5",
  files:
    "M18.5 11l-7 7a4.2 4.2 0 0 1-6-6l7.5-7.5a2.8 2.8 0 0 1 4 4L9.5 16a1.4 1.4 0 0 1-2-2l6.5-6.5",
  home:
    "M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4",
  leave: "M13 4H5v16h8M10 12h10M16.5 8.5L20 12l-3.5 3.5",
  memories:
    "M12 6.5C10 5 7 4.5 3.5 5v13.5c3.5-.5 6.5 0 8.5 1.5 2-1.5 5-2 8.5-1.5V5C17 4.5 14 5 12 6.5zM12 6.5V20",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M9 5.5l6.5 6.5L9 18.5",
  people:
    "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.5c.6-3.3 3.1-5 6.5-5s5.9 1.7 6.5 5M15.5 4.8a3.5 3.5 0 0 1 0 6.5M17.5 14.8c2.2.6 3.6 2.2 4 4.7",
  records: "M4 5h16v5H4zM4 14h16v5H4zM8 7.5h3M8 16.5h3",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20.5 20.5",
  tags: "M3.5 4h8l9 9-7.5 7.5-9.5-9.5zM8 8.5h.01",
};

/** Hidden from screen readers, since each has a word. @param {keyof typeof PATHS} name */
function icon(name) {
  const [element, path] = [make("svg"), make("path")];
  path.setAttribute("d", PATHS[name]);
  element.setAttribute("class", "icon");
  element.setAttribute("viewBox", "0 0 24 24");
  element.setAttribute("aria-hidden", "true");
  element.append(path);
  return element;
}

/** @param {"svg" | "path"} tag */
function make(tag) {
  return document.createElementNS("http://www.w3.org/2000/svg", tag);
}

const DRAFTS = "/console/drafts";

/** Identifies the drawn frame, so that a visit only moves the mark. */
let drawn = "";

/**
 * The places: a side bar on wide screens, a sheet on narrow ones.
 * @param {string} path @param {() => void} leave
 */
export function drawFrame(path, leave) {
  const { accountId, email } = session().account;
  const shown = `${document.documentElement.lang} ${accountId} ${email}`;
  if (shown !== drawn || document.querySelector("header nav") === null) draw(leave);
  drawn = shown;
  fill(byId("foot"), email);
  markPlace(path);
}

/** @param {() => void} leave */
function draw(leave) {
  const out = async () => {
    const { askSignOut } = await import("./background.js").catch(notLoaded);
    if (await askSignOut()) leave();
  };
  const choose = async () => {
    sheet.hidePopover();
    const { openPalette } = await import("./background.js").catch(notLoaded);
    await openPalette();
  };
  const palette = { "aria-keyshortcuts": "Control+K", onclick: choose };
  const sheet = h(
    "div",
    { id: "places", popover: "auto", ontoggle: focusPlace, onclick: closeSheet },
    h("ul", /** @type {Place[]} */ (Object.keys(PLACES)).map(entry)),
    h(
      "div.below",
      h("button.plain", palette, icon("more"), t("goTo"), h("kbd", "Ctrl K")),
      h("button.plain", { onclick: out }, icon("leave"), t("signOut")),
    ),
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
  );
}

/** @param {Place} place */
function entry(place) {
  const id = `place-${place}`;
  const named = [icon(place), t(place)];
  if (place !== "records") return h("li", h("a", { href: PLACES[place][0], id }, named));
  const states = { "aria-expanded": "false", "aria-controls": "kinds" };
  const open = () => void openKinds(kinds.hidden !== false);
  const kinds = h("div", { id: "kinds", hidden: true });
  return h("li", h("button", { id, ...states, onclick: open }, named, icon("more")), kinds);
}

/** @param {string} path */
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
function drawKinds(counts) {
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

function startPrinting() {
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

export { confirmLeave, discardForms } from "./acts.js";

/**
 * In descending order, so that a word goes before a named segment: letters are greater than colons.
 * @type {readonly PageEntry[]}
 */
export const PAGES = [
  pagesOf([], () => import("../pages/home.js"), { "/": "homePage" }),
  pagesOf([], () => import("../pages/search.js"), { "/search": "searchPage" }),
  pagesOf([], () => import("../pages/drafts.js"), { "/drafts": "drafts" }),
  pagesOf([], () => import("../pages/records.js"), {
    "/files": "filesPage",
    "/print/:module": "printPage",
    "/records/:module": "records",
    "/records/:module/:id": "recordPage",
  }),
  pagesOf([], () => import("../pages/draft_form.js"), {
    "/records/:module/new": "recordForm",
    "/records/:module/:id/edit": "recordForm",
  }),
  pagesOf([], () => import("../pages/history.js"), {
    "/records/:module/:id/history": "recordHistory",
  }),
  pagesOf(["account"], () => import("../pages/credentials.js"), {
    "/sessions": "sessions",
    "/tokens": "tokens",
    "/tokens/new": "tokenForm",
    "/calendar": "calendar",
    "/calendar/new": "calendarForm",
    "/assistants": "assistants",
    "/assistants/new": "assistantForm",
  }),
  pagesOf(["account"], () => import("../pages/passkeys.js"), { "/passkeys": "passkeys" }),
  pagesOf(["account"], () => import("../pages/account.js"), { "/account": "account" }),
  pagesOf(["account"], () => import("../pages/audit.js"), {
    "/audit": "audit",
    "/audit/:id": "auditProof",
    "/changes": "changes",
    "/records/:module/:id/executions": "executions",
  }),
  pagesOf(["account"], () => import("../pages/export.js"), {
    "/export": "exportPage",
    "/about": "about",
  }),
  pagesOf(["account", "imports", "import_rules"], () => import("../pages/imports.js"), {
    "/imports": "importsPage",
    "/imports/own/:kind": "ownFile",
  }),
  pagesOf(["account", "imports", "coming_from"], () => import("../pages/coming_from.js"), {
    "/imports/from": "comingFromPage",
  }),
  pagesOf(["account", "people", "imports", "import_rules"], () => import("../pages/import.js"), {
    "/imports/:id": "importPage",
  }),
  pagesOf(["account"], () => import("../pages/witness.js"), { "/witness": "witness" }),
  pagesOf(["account"], () => import("../pages/proposals.js"), { "/proposals": "proposals" }),
  pagesOf(["memories"], () => import("../pages/memories.js"), {
    "/memories": "memories",
    "/memories/:id": "memory",
    "/memories/:id/history": "memoryHistory",
    "/memories/:id/slices": "memorySlices",
  }),
  pagesOf(["memories"], () => import("../pages/memory_form.js"), {
    "/memories/new": "memoryForm",
    "/memories/:id/edit": "memoryForm",
  }),
  pagesOf(["people"], () => import("../pages/people.js"), { "/people/:id": "personPage" }),
  pagesOf(["people"], () => import("../pages/people_more.js"), {
    "/people": "people",
    "/people/:id/timeline": "timeline",
    "/people/:id/proposals": "proposals",
    "/people/:id/ledger/:ledger": "ledgerPage",
  }),
  pagesOf(["people"], () => import("../pages/people_forms.js"), {
    "/people/new": "personForm",
    "/people/:id/edit": "personForm",
    "/people/:id/history": "personHistory",
    "/people/:id/ledger/:ledger/new": "entryForm",
  }),
  pagesOf(["profile"], () => import("../pages/profile.js"), {
    "/profile": "profilePage",
    "/profile/:part": "partList",
    "/profile/snapshots/:id": "snapshotPage",
    "/profile/stages/:id": "stagePage",
  }),
  pagesOf(["profile"], () => import("../pages/profile_more.js"), {
    "/profile/edit": "profileForm",
    "/profile/history": "profileHistory",
    "/profile/:part/new": "partForm",
    "/profile/stages/:id/edit": "partForm",
    "/profile/public": "publicPage",
    "/profile/compare": "comparePage",
    "/profile/legacy": "legacyPage",
    "/profile/legacy/edit": "legacyForm",
    "/profile/comparisons/:id": "comparisonPage",
  }),
  pagesOf(["decisions"], () => import("../pages/decisions.js"), {
    "/decisions": "decisions",
    "/decisions/:id": "decisionPage",
    "/decisions/:id/:kind": "things",
    "/decisions/:id/:kind/:thing": "thingPage",
  }),
  pagesOf(["decisions"], () => import("../pages/decision_forms.js"), {
    "/decisions/new": "decisionForm",
    "/decisions/calibration": "calibration",
    "/decisions/:id/edit": "decisionForm",
    "/decisions/:id/history": "decisionHistory",
    "/decisions/:id/:kind/new": "thingForm",
    "/decisions/:id/:kind/:thing/edit": "thingForm",
    "/decisions/:id/:kind/:thing/history": "decisionHistory",
  }),
  pagesOf(["resources"], () => import("../pages/resources.js"), {
    "/resources": "resources",
    "/resources/new": "resourceForm",
    "/resources/network": "network",
    "/resources/overload": "overload",
    "/resources/overload/:execution": "overloadAnalysis",
    "/resources/:id": "resourcePage",
    "/resources/:id/edit": "resourceForm",
    "/resources/:id/history": "resourceHistory",
    "/resources/:id/snapshots": "snapshots",
    "/resources/:id/snapshots/new": "snapshotForm",
  }),
  pagesOf(["resources"], () => import("../pages/tags.js"), {
    "/tags": "tags",
    "/tags/new": "termForm",
    "/tags/categories/new": "categoryForm",
    "/tags/usage": "usage",
    "/tags/:id": "termPage",
    "/tags/:id/edit": "termForm",
    "/tags/:id/history": "termHistory",
  }),
].flat().sort((one, other) => one.path < other.path ? 1 : -1);

/**
 * @template {Record<string, any>} Module
 * @param {PageEntry["areas"]} areas
 * @param {() => Promise<Module>} load
 * @param {Readonly<Record<string, PageName<Module>>>} pages By path below `/console`.
 */
function pagesOf(areas, load, pages) {
  return Object.entries(pages).map(([path, name]) => ({
    path: path === "/" ? path : `/console${path}`,
    areas,
    load: async () => /** @type {Page | SyncPage} */ ((await load())[name]),
  }));
}

/** No identifier is `new` or a member of every object. @param {string} path */
export function findPage(path) {
  const sent = path.split("/");
  for (const { path: pattern, load, areas } of PAGES) {
    const segments = pattern.split("/");
    /** @type {Record<string, string>} */
    const params = {};
    const isFound = segments.length === sent.length && segments.every((segment, index) => {
      const text = sent[index] ?? "";
      if (!segment.startsWith(":")) return segment === text;
      params[segment.slice(1)] = text;
      return text !== "" && text !== "new" && !(text in Object.prototype);
    });
    if (isFound) return { params, load, areas };
  }
  return null;
}

/** Whether a module failed to load: browsers do not try it again before a reload. */
let isBroken = false;

export function needsReload() {
  return isBroken;
}

/** @param {string} pathname @param {Promise<void>} language */
export async function loadPage(pathname, language) {
  const found = findPage(pathname);
  const id = found?.params.id ?? "0".repeat(26);
  // Nothing has another identifier, so nothing is requested.
  if (found === null || !/^[0-9A-HJKMNP-TV-Z]{26}$/.test(id)) {
    // The palette and dialogs have texts of records, too.
    await Promise.all([start(), language.then(() => loadArea("records"))]);
    return { page: found === null ? notFound : () => missing(pathname, ""), params: {} };
  }
  const loadAreas = () => Promise.all([loadArea("records"), ...found.areas.map(loadArea)]);
  const others = Promise.all([start(), language.then(loadAreas)]);
  const loaded = found.load().catch(() => {
    isBroken = true;
    return notLoaded();
  });
  const [page] = await Promise.all([loaded, others]);
  return { page, params: found.params };
}

/**
 * Draws a link's page without loading the shell; leaves other links to the browser.
 * @param {NavigateEvent} event
 * @param {(event: NavigateEvent) => Promise<void>} show
 */
export function interceptVisit(event, show) {
  const { pathname, search } = new URL(event.destination.url);
  const isPage = event.canIntercept && !event.hashChange && event.downloadRequest === null &&
    findPage(pathname) !== null;
  // `replace` is not a visit, and a reload must load everything.
  if (!isPage || !["push", "traverse"].includes(event.navigationType)) return;
  if (blockLeaving(event) || isBroken) return;
  // `returnToPlace` finds the followed link.
  if (event.navigationType === "push") {
    globalThis.navigation.updateCurrentEntry({ state: pathname + search });
  }
  event.intercept({ handler: () => show(event), focusReset: "manual", scroll: "manual" });
}

/**
 * Scrolls to the link that the reader had followed; false if the visit is not a return.
 * @param {NavigateEvent | undefined} event
 */
export function returnToPlace(event) {
  if (event?.navigationType !== "traverse") return false;
  const left = globalThis.navigation.currentEntry?.getState();
  const link = [...document.querySelectorAll("main a")].find((one) =>
    one.getAttribute("href") === left
  );
  event.scroll();
  if (!(link instanceof HTMLElement)) return false;
  link.focus({ preventScroll: true });
  return true;
}

const start = once(async () => {
  await loadLabels();
  startPrinting();
  startWatching();
  // Failures that nothing else shows. Others than the API's are also in the browser's console.
  addEventListener("unhandledrejection", async (event) => {
    const { reason } = event;
    if (reason instanceof ApiError) event.preventDefault();
    await loadFailures().catch(() => {});
    announce(failureText(reason instanceof ApiError ? reason.code : "?"));
  });
});

let hasStarted = false;

/** @param {typeof import("./browser_outbox.js").listUnsynced} listUnsynced */
function watchUnsynced(listUnsynced) {
  const look = async () => {
    const { queued, drafts } = await listUnsynced();
    // The form of a draft shows it.
    const present = [location.pathname, location.pathname + location.search];
    const isWaiting = queued.length > 0 || drafts.some(({ path }) => !present.includes(path));
    const waiting = document.getElementById("waiting");
    if (waiting !== null) waiting.hidden = !isWaiting && location.pathname !== DRAFTS;
    // Their page opens without a connection, too.
    if (queued.length + drafts.length > 0) await findPage(DRAFTS)?.load();
  };
  const lookNow = () => void look().catch(() => {});
  lookNow();
  if (hasStarted) return;
  addEventListener("unsynced", lookNow);
  addEventListener("storage", lookNow);
}

/** Starts everything that a first page does not need, and loads modules for use offline. */
export async function startBackground() {
  if (byId("kinds").childElementCount === 0) drawKinds(new Map());
  const [{ startOutbox, listUnsynced }, { showNotice, startKeys }] = await Promise.all([
    import("./browser_outbox.js"),
    import("./background.js"),
    loadFailures(),
  ]);
  startOutbox();
  watchUnsynced(listUnsynced);
  if (sessionStorage.getItem("signedIn") !== null) void showNotice().catch(() => {});
  if (hasStarted) return;
  hasStarted = true;
  startKeys();
}
