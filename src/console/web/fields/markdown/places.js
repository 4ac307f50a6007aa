/** Links from a person's text to other places and to files. */

import { h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { storage } from "../../core/base/session.js";
import { ask } from "../controls/forms.js";
import { contentPath } from "../shown/files.js";

/** Hosts whose links were opened on this device. */
const HOSTS = "hosts";

/**
 * Shows the host first, once for each host.
 * @param {string} href @param {readonly Child[]} words
 */
export function outwardLink(href, words) {
  // The parser writes a host of other letters in ASCII, so that it cannot imitate another one.
  const { host, href: exact } = new URL(href);
  const open = async (/** @type {MouseEvent} */ event) => {
    // Other buttons than the middle one do not open links.
    if (event.button > 1 || knownHosts().includes(host)) return;
    event.preventDefault();
    const question = { title: t("openHost", { host }), text: exact, action: t("openNow") };
    const agree = () => Promise.resolve(keepHost(host));
    if (await ask(question, agree)) globalThis.open(href, "_blank", "noopener,noreferrer");
  };
  const about = { target: "_blank", rel: "noopener noreferrer", onclick: open, onauxclick: open };
  return h("a", { href, ...about }, words);
}

/**
 * The web address that a whole text is, with `https` before "www."; null for any other text. One
 * with a name or password is not a link, because it looks like the address of another host.
 * @param {string} text
 */
export function outwardAddress(text) {
  const whole = /^www\./i.test(text) ? ["https:", "", text].join("/") : text;
  if (!/^https?:\/\/[^\s\\]+$/i.test(whole) || !URL.canParse(whole)) return null;
  const { href, username, password } = new URL(whole);
  // Parsers keep this sign in queries, which links of the console do not have.
  return username + password === "" ? href.replaceAll("\\", "%5C") : null;
}

/** A link for a web address, otherwise the words. @param {string} text */
export function addressOrWords(text) {
  const href = outwardAddress(text.trim());
  return href === null ? h("span.words", text) : outwardLink(href, [h("span.words", text)]);
}

/** Without room, the next link asks again. @param {string} host */
function keepHost(host) {
  try {
    storage().setItem(HOSTS, JSON.stringify([...knownHosts(), host]));
  } catch {
    // The link opens all the same.
  }
}

/** @returns {readonly string[]} */
function knownHosts() {
  return JSON.parse(storage().getItem(HOSTS) ?? "[]");
}

/** @param {string} file @param {readonly Child[]} words */
export function fileLink(file, words) {
  return h(
    "a",
    { href: contentPath(file), download: true },
    words.length > 0 ? words : t("download"),
  );
}
