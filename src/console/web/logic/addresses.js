/** The places of the side bar. Each with the beginnings of its pages' paths, the first of which is its own. */
export const PLACES = {
  home: ["/"],
  search: ["/console/search"],
  people: ["/console/people"],
  memories: ["/console/memories"],
  decisions: ["/console/decisions"],
  calendar: ["/console/calendar"],
  records: ["/console/records", "/console/profile", "/console/resources", "/console/print"],
  files: ["/console/files"],
  tags: ["/console/tags"],
  account: ["/console/account"],
};
/** @typedef {keyof typeof PLACES} Place */

/** Pages that the account page links to. */
const OF_ACCOUNT =
  /^\/console\/(sessions|passkeys|tokens|assistants|proposals|audit|witness|imports|export|about)\b/;
/**
 * Null for a page of no place.
 *
 * @param {string} path
 */
export function placeOf(path) {
  if (OF_ACCOUNT.test(path)) return "account";
  const found = Object.entries(PLACES).find(([, starts]) =>
    starts.some((start) => start === path || (start !== "/" && path.startsWith(`${start}/`)))
  );
  return /** @type {Place | null} */ (found?.[0] ?? null);
}

/** The kinds of records by group, as in the catalog; a test compares the two. */
export const KINDS = /** @type {Readonly<Record<string, readonly string[]>>} */ ({
  "People and real-world relations": ["relationship", "commitment", "community"],
  "Self and identity": ["identity", "constitution", "resource"],
  "Action and growth": ["decision", "health", "action", "routine", "review"],
  "Personal intelligence": ["ai-agent", "personal-model", "interview"],
  "Experience and archive": [
    "memory",
    "capture",
    "timeline",
    "knowledge",
    "media",
    "taxonomy",
    "place",
  ],
  "Public and continuity": ["integration", "legacy", "publication"],
});

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
