/**
 * What has been written and not yet kept: one draft for each form, in the browser alone. Sensitive
 * fields live no longer than the tab, and on a shared computer everything does.
 */

/**
 * @typedef {object} Draft
 * @property {number | null} base The revision that was changed; null for something new.
 * @property {string} key The Idempotency-Key of the form: however often it is sent, it is kept once.
 * @property {number} at When it was last changed, in milliseconds since 1970.
 * @property {Readonly<Record<string, string>>} texts The fields that were changed.
 */

const PREFIX = "draft:";
const KEPT_MS = 14 * 86_400_000;

/** Whether nothing may stay in this browser. */
export function isShared() {
  return sessionStorage.getItem("shared") === "yes";
}

/** @param {boolean} shared */
export function setShared(shared) {
  if (shared) sessionStorage.setItem("shared", "yes");
  else sessionStorage.removeItem("shared");
}

/**
 * Keeps a draft.
 *
 * @param {string} path The page of the form.
 * @param {Draft} draft
 * @param {ReadonlySet<string>} sensitive The names of fields that must not outlive the tab.
 */
export function keepDraft(path, draft, sensitive) {
  const isBrief = (/** @type {string} */ name) => isShared() || sensitive.has(name);
  const part = (/** @type {boolean} */ brief) =>
    Object.fromEntries(Object.entries(draft.texts).filter(([name]) => isBrief(name) === brief));
  sessionStorage.setItem(`${PREFIX}${path}`, JSON.stringify({ ...draft, texts: part(true) }));
  if (!isShared()) {
    localStorage.setItem(`${PREFIX}${path}`, JSON.stringify({ ...draft, texts: part(false) }));
  }
}

/**
 * @param {string} path
 * @returns {Draft | null}
 */
export function readDraft(path) {
  const [lasting, brief] = [localStorage, sessionStorage].map((place) =>
    JSON.parse(place.getItem(`${PREFIX}${path}`) ?? "null")
  );
  const draft = isShared() ? brief : lasting;
  return draft === null ? null : { ...draft, texts: { ...draft.texts, ...brief?.texts } };
}

/** @param {string} path */
export function dropDraft(path) {
  for (const place of [localStorage, sessionStorage]) place.removeItem(`${PREFIX}${path}`);
}

/** The pages that have a draft, the newest first. Those that have been left for two weeks are removed. */
export function listDrafts() {
  const place = isShared() ? sessionStorage : localStorage;
  const names = Object.keys(place).filter((name) => name.startsWith(PREFIX));
  const drafts = names.map((name) => {
    const path = name.slice(PREFIX.length);
    const { at = 0, texts = {} } = readDraft(path) ?? {};
    return { path, at, isEmpty: Object.keys(texts).length === 0 };
  });
  for (const { path } of drafts.filter(({ at }) => at < Date.now() - KEPT_MS)) dropDraft(path);
  // What was sensitive of a draft went with its tab, which can be all of it.
  return drafts.filter(({ at, isEmpty }) => at >= Date.now() - KEPT_MS && !isEmpty)
    .sort((a, b) => b.at - a.at);
}
