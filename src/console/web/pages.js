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
 * @property {readonly import("./core/dom.js").Child[]} body
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
  { path: "/", load: () => import("./pages/home.js") },
  { path: "/console/drafts", load: () => import("./pages/drafts.js") },
  { path: "/console/records/:module", load: () => import("./pages/records.js") },
  { path: "/console/records/:module/new", load: () => import("./pages/record_form.js") },
  { path: "/console/records/:module/:id", load: () => import("./pages/record.js") },
  { path: "/console/records/:module/:id/history", load: () => import("./pages/history.js") },
  { path: "/console/records/:module/:id/edit", load: () => import("./pages/record_form.js") },
  { path: "/console/account", load: () => import("./pages/account.js"), areas: ["account"] },
  { path: "/console/sessions", load: () => import("./pages/sessions.js"), areas: ["account"] },
  { path: "/console/tokens", load: () => import("./pages/tokens.js"), areas: ["account"] },
  { path: "/console/tokens/new", load: () => import("./pages/token_form.js"), areas: ["account"] },
  { path: "/console/audit", load: () => import("./pages/audit.js"), areas: ["account"] },
  { path: "/console/export", load: () => import("./pages/export.js"), areas: ["account"] },
  { path: "/console/about", load: () => import("./pages/about.js"), areas: ["account"] },
];

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
