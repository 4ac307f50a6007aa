/** Every page of the console, one a line: its path, and the module that makes it. */

/**
 * @typedef {object} Visit
 * @property {Readonly<Record<string, string>>} params The named segments of the path.
 * @property {URLSearchParams} query
 * @property {import("./core/session.js").Session} session
 */

/**
 * @typedef {object} Content
 * @property {string} title
 * @property {string} [heading] Where the title must not say it: the browser's own history keeps titles.
 * @property {readonly import("./core/dom.js").Child[]} body
 * @property {() => void} [focus] Puts the focus where a visit of the page begins, if not at its heading.
 */

/** @typedef {(visit: Visit) => Content | Promise<Content>} Page */

/**
 * @typedef {object} PageEntry
 * @property {string} path
 * @property {() => Promise<{ default: Page }>} load
 * @property {readonly (keyof import("./core/text.js").Areas)[]} [areas] Whose sentences it needs beside
 * those of records, which every page has.
 */

/** @type {readonly PageEntry[]} */
const PAGES = [
  { path: "/", load: () => import("./pages/home.js"), areas: ["home"] },
  { path: "/console/search", load: () => import("./pages/search.js"), areas: ["home"] },
  { path: "/console/drafts", load: () => import("./pages/drafts.js"), areas: ["memories"] },
  { path: "/console/print/:module", load: () => import("./pages/print.js"), areas: ["home"] },
  { path: "/console/records/:module", load: () => import("./pages/records.js") },
  { path: "/console/records/:module/new", load: () => import("./pages/record_form.js") },
  { path: "/console/records/:module/:id", load: () => import("./pages/record.js") },
  { path: "/console/records/:module/:id/history", load: () => import("./pages/history.js") },
  { path: "/console/records/:module/:id/edit", load: () => import("./pages/record_form.js") },
  ...pagesOf("/console/people", ["people"], {
    "": () => import("./pages/people/list.js"),
    "/new": () => import("./pages/people/form.js"),
    "/:id": () => import("./pages/people/person.js"),
    "/:id/edit": () => import("./pages/people/form.js"),
    "/:id/history": () => import("./pages/people/history.js"),
    "/:id/timeline": () => import("./pages/people/timeline.js"),
    "/:id/ledger/:ledger": () => import("./pages/people/ledger.js"),
    "/:id/ledger/:ledger/new": () => import("./pages/people/entry_form.js"),
  }),
  {
    path: "/console/memories",
    load: () => import("./pages/memories.js"),
    areas: ["memories"],
  },
  {
    path: "/console/memories/new",
    load: () => import("./pages/memory_form.js"),
    areas: ["memories"],
  },
  {
    path: "/console/memories/:id",
    load: () => import("./pages/memory.js"),
    areas: ["memories"],
  },
  {
    path: "/console/memories/:id/edit",
    load: () => import("./pages/memory_form.js"),
    areas: ["memories"],
  },
  {
    path: "/console/memories/:id/history",
    load: () => import("./pages/memory_history.js"),
    areas: ["memories"],
  },
  {
    path: "/console/memories/:id/slices",
    load: () => import("./pages/memory_slices.js"),
    areas: ["memories"],
  },
];

/**
 * The pages of a family.
 *
 * @param {string} path What their paths begin with.
 * @param {readonly (keyof import("./core/text.js").Areas)[]} areas
 * @param {Readonly<Record<string, PageEntry["load"]>>} pages Each by the rest of its path.
 */
function pagesOf(path, areas, pages) {
  return Object.entries(pages).map(([rest, load]) => ({ path: `${path}${rest}`, load, areas }));
}

/**
 * The page at a path, with its named segments; null where there is none.
 *
 * @param {string} path
 */
export function findPage(path) {
  const sent = path.split("/");
  for (const { path: pattern, load, areas = [] } of PAGES) {
    const segments = pattern.split("/");
    const params = /** @type {Record<string, string>} */ ({});
    const isFound = segments.length === sent.length && segments.every((segment, index) => {
      const text = sent[index] ?? "";
      if (!segment.startsWith(":")) return segment === text;
      params[segment.slice(1)] = text;
      return text !== "";
    });
    if (isFound) return { params, load, areas };
  }
  return null;
}
