/** The console's addresses of a module and of its records. */

/** The modules with pages of their own. */
const OWN_PAGES = /** @type {Readonly<Record<string, string>>} */ ({
  memory: "/console/memories",
  relationship: "/console/people",
  decision: "/console/decisions",
  identity: "/console/profile",
  resource: "/console/resources",
  taxonomy: "/console/tags",
});

/**
 * The page of a module.
 *
 * @param {string} code
 */
export function modulePath(code) {
  return OWN_PAGES[code] ?? generalPath(code);
}

/**
 * The page of a record; of identity the profile, of which everybody has one.
 *
 * @param {string} code Of its module.
 * @param {string} recordId
 */
export function recordPath(code, recordId) {
  const path = modulePath(code);
  return code === "identity" ? path : `${path}/${encodeURIComponent(recordId)}`;
}

/**
 * The generic page of a module or record, which every module has.
 *
 * @param {string} code
 * @param {string} [recordId]
 */
export function generalPath(code, recordId) {
  const path = `/console/records/${code}`;
  return recordId === undefined ? path : `${path}/${encodeURIComponent(recordId)}`;
}

/**
 * The module of a page; null if it has none.
 *
 * @param {string} path
 */
export function moduleOfPath(path) {
  const general = /^\/console\/records\/([^/]+)/.exec(path)?.[1];
  if (general !== undefined) return general;
  const own = Object.entries(OWN_PAGES).find(([, page]) => `${path}/`.startsWith(`${page}/`));
  return own?.[0] ?? null;
}
