/** Places of the navigation, and links to pages of the account. */

import { link } from "../base/elements.js";
import { t } from "../base/language.js";
import { findPage, LINKED } from "./pages.js";

/** In the order of the side bar. */
export const PLACES = {
  home: "/",
  search: "/console/search",
  people: "/console/people",
  memories: "/console/memories",
  decisions: "/console/decisions",
  calendar: "/console/calendar",
  records: "/console/records",
  files: "/console/files",
  tags: "/console/tags",
  account: "/console/account",
};

/** Null for a page of no place. @param {string} path */
export function placeOf(path) {
  return findPage(path)?.place ?? null;
}

/** A link to a page of the account, by its name in `PAGES`. @param {Sentence} name */
export function pageLink(name) {
  const found = LINKED.find(({ link }) => link?.name === name);
  if (found === undefined) throw new Error(`The account has no page ${name}`);
  return link(found.path, t(name));
}
