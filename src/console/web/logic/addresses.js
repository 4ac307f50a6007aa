const OWN_PAGES = /** @type {Readonly<Record<string, string>>} */ ({
  memory: "/console/memories",
  relationship: "/console/people",
  decision: "/console/decisions",
  identity: "/console/profile",
  resource: "/console/resources",
  taxonomy: "/console/tags",
});

/** @param {string} code */
export function modulePath(code) {
  return OWN_PAGES[code] ?? generalPath(code);
}

/**
 * For identity the profile, of which there is one.
 *
 * @param {string} code
 * @param {string} recordId
 */
export function recordPath(code, recordId) {
  const path = modulePath(code);
  return code === "identity" ? path : `${path}/${encodeURIComponent(recordId)}`;
}

/**
 * The generic page, which every module has.
 *
 * @param {string} code
 * @param {string} [recordId]
 */
export function generalPath(code, recordId) {
  const path = `/console/records/${code}`;
  return recordId === undefined ? path : `${path}/${encodeURIComponent(recordId)}`;
}

/**
 * Null for pages without a module.
 *
 * @param {string} path
 */
export function moduleOfPath(path) {
  const general = /^\/console\/records\/([^/]+)/.exec(path)?.[1];
  if (general !== undefined) return general;
  const own = Object.entries(OWN_PAGES).find(([, page]) => `${path}/`.startsWith(`${page}/`));
  return own?.[0] ?? null;
}
