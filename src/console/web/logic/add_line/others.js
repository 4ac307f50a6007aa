/** People, sources, decisions, and records that are only a name. */

import { findContacts } from "./contacts.js";
import { record } from "./records.js";
import { fitsTitle, titleOf, tokensOf } from "./tokens.js";

/** @type {UnderstandLine} */
export function understandPerson({ text, kept }) {
  const { details, name } = findContacts(text, kept);
  if (name === "") return { title: "", parts: [], records: [], problem: "nameMissing" };
  const body = { personName: name, relationshipType: "OTHER", importance: 3 };
  return {
    title: name,
    parts: details.map(({ words }) => ({ what: "detail", words })),
    records: [{
      path: "/api/v2/relationship/people",
      body,
      details: details.map(({ kind, words }) => ({
        kind,
        value: { value: words },
        privacy: "PRIVATE",
      })),
    }],
  };
}

/** @type {UnderstandLine} */
export function understandKnowledge({ text, kept, uuid }) {
  const tokens = tokensOf(text);
  const address = tokens.find(({ word }) => webAddress(word) !== null && !kept.has(word));
  const url = address === undefined ? null : webAddress(address.word);
  const words = url === null
    ? text.trim()
    : tokens.filter((token) => token !== address).map(({ word }) => word).join(" ");
  const title = titleOf(words) || (url?.host ?? "");
  const payload = {
    sourceType: url === null ? "OTHER" : "WEBPAGE",
    url: url === null || address === undefined ? `urn:uuid:${uuid()}` : address.word,
    sourceTitle: title,
    readingStatus: "UNREAD",
    ...(!fitsTitle(words) && { annotation: words }),
  };
  const parts = /** @type {LinePart[]} */ (
    url === null || address === undefined
      ? []
      : [{ what: "address", words: address.word, host: url.host }]
  );
  return { title, parts, records: [record("knowledge", title, payload)] };
}

const MAX_ADDRESS = 2_048;

/** Without user information, which the service refuses. @param {string} word */
function webAddress(word) {
  if (word.length > MAX_ADDRESS || !/^https?:[/]{2}[^/?#@\\]+(?:[/?#]|$)/i.test(word)) return null;
  try {
    return new URL(word);
  } catch {
    return null;
  }
}

const SEPARATOR = " / ";
const OPTIONS = { fewest: 2, most: 50, length: 200 };

/** With fewer than two options the form opens. @type {UnderstandLine} */
export function understandDecision({ text, kept }) {
  const typed = text.trim();
  const slash = typed.indexOf(SEPARATOR);
  const mark = typed.lastIndexOf("?", slash < 0 ? typed.length : slash);
  const written = typed.slice(mark + 1).trim();
  const items = distinct(written.split(SEPARATOR).map((item) => item.trim()));
  const isChoice = mark > 0 && items.length >= OPTIONS.fewest && items.length <= OPTIONS.most &&
    items.every((item) => Array.from(item).length <= OPTIONS.length);
  const question = mark > 0 && !kept.has(written) ? typed.slice(0, mark + 1) : typed;
  if (!isChoice || kept.has(written)) {
    const form = { question, options: question === typed ? [] : items };
    return { title: question, parts: [], records: [], form };
  }
  const body = { question, options: { items } };
  return {
    title: question,
    parts: [{ what: "options", words: written, items }],
    records: [{ path: "/api/v2/decision/decisions", body }],
  };
}

/** As the service compares them; none is empty. @param {readonly string[]} items */
function distinct(items) {
  const met = new Set([""]);
  return items.filter((item) => {
    const key = item.normalize("NFC");
    return !met.has(key) && met.add(key);
  });
}

/** @type {UnderstandLine} */
export function understandPlace({ text }) {
  const name = text.trim();
  const payload = { placeName: name, placeType: "OTHER" };
  return { title: name, parts: [], records: [record("place", name, payload)] };
}

/** @type {UnderstandLine} */
export function understandCommunity({ text }) {
  const name = text.trim();
  const payload = { communityName: name, communityType: "OTHER" };
  return { title: name, parts: [], records: [record("community", name, payload)] };
}

/** @type {UnderstandLine} */
export function understandTag({ text }) {
  const name = text.trim();
  return { title: name, parts: [], records: [{ path: "/api/v2/taxonomy/tags", body: { name } }] };
}

/** @type {UnderstandLine} */
export function understandCapture({ text, clock, emptyTitle }) {
  const payload = {
    contentType: "TEXT",
    originalContent: text,
    targetModule: "memory",
    sourceApp: "WEB",
    capturedAt: clock.now,
    routeStatus: "INBOX",
  };
  const title = titleOf(text) || emptyTitle;
  return { title, parts: [], records: [record("capture", title, payload)] };
}
