/** People, sources, decisions, and records that are only a name. */

import { titleOf } from "../../fields/shown/titles.js";
import { findContacts } from "./contacts.js";
import { record } from "./records.js";
import { fitsTitle, tokensOf } from "./tokens.js";

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
  const address = tokens.find(({ word }) => hostOf(word) !== "" && !kept.has(word))?.word;
  const words = address === undefined
    ? text.trim()
    : tokens.map(({ word }) => word).filter((word) => word !== address).join(" ");
  const host = hostOf(address ?? "");
  const title = titleOf(words) || host;
  const payload = {
    sourceType: address === undefined ? "OTHER" : "WEBPAGE",
    url: address ?? `urn:uuid:${uuid()}`,
    sourceTitle: title,
    readingStatus: "UNREAD",
    annotation: fitsTitle(words) ? undefined : words,
  };
  const parts = /** @type {LinePart[]} */ (
    address === undefined ? [] : [{ what: "address", words: address, host }]
  );
  return { title, parts, records: [record("knowledge", title, payload)] };
}

const MAX_ADDRESS = 2_048;

/** Empty unless it is a web address without user information. @param {string} word */
function hostOf(word) {
  const isAddress = word.length <= MAX_ADDRESS &&
    /^https?:[/]{2}[^/?#@\\]+(?:[/?#][^\\]*)?$/i.test(word) && URL.canParse(word);
  return isAddress ? new URL(word).host : "";
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
  const isKept = kept.has(written);
  const isChoice = mark > 0 && !isKept && items.length >= OPTIONS.fewest &&
    items.length <= OPTIONS.most &&
    items.every((item) => Array.from(item).length <= OPTIONS.length);
  const question = mark > 0 && !isKept ? typed.slice(0, mark + 1) : typed;
  const options = question === typed ? [] : items;
  if (!isChoice) return { title: question, parts: [], records: [], form: { question, options } };
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

/** @type {(code: string, name: string, type: string) => UnderstandLine} */
export function understandName(code, name, type) {
  return ({ text }) => {
    const title = text.trim();
    const payload = { [name]: title, [type]: "OTHER" };
    return { title, parts: [], records: [record(code, title, payload)] };
  };
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
