/** Ways to reach a person now: links that programs of the device open. */

import { h } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { dialled, mailHref, placeHref } from "../../fields/reach.js";
import { detailText, isHidden } from "../people_entries/details.js";
import { shortText } from "./sections.js";

/** Per kind; the section of details has the others. */
const MAX_WAYS = 3;

/** Only addresses are longer. */
const MAX_WAY_LENGTH = 300;

/** Numbers that no one answers. */
const MACHINES = ["fax", "pager"];

/** Preferred ones first, then older ones. @param {readonly any[]} details @returns {Way[]} */
export function waysOf(details) {
  const live = details.toReversed().filter((detail) => !isHidden(detail));
  return ["PHONE", "EMAIL", "ADDRESS"].flatMap((wanted) => {
    const ways = live.filter(({ kind }) => kind === wanted)
      .sort((one, other) => Number(other.preferred) - Number(one.preferred))
      .flatMap((detail) => wayOf(detail) ?? []);
    const isFirst = (/** @type {FoundWay} */ { text }, /** @type {number} */ at) =>
      ways.findIndex((other) => other.text === text) === at;
    return ways.filter(isFirst).slice(0, MAX_WAYS)
      .map((way, at) => ({ ...way, isFirst: at === 0 }));
  });
}

/** Null if it leads nowhere. @param {any} detail @returns {FoundWay | null} */
function wayOf(detail) {
  const { kind, value } = detail;
  const whole = detailText(detail);
  const text = shortText(whole, MAX_WAY_LENGTH);
  /** @type {(href: string | null, link: Omit<WayLink, "href">) => FoundWay | null} */
  const one = (href, link) => href === null ? null : { detail, text, links: [{ href, ...link }] };
  if (kind === "EMAIL") {
    const name = t("mailAddress", { address: text });
    return one(mailHref(whole), { symbol: "mail", word: t("mail"), name });
  }
  if (kind === "ADDRESS") {
    const name = t("mapPlace", { place: text });
    return one(placeHref(whole), { symbol: "map", word: t("map"), name });
  }
  const isMachine = MACHINES.some((type) => value.types?.includes(type));
  const number = isMachine ? null : dialled(whole);
  if (number === null) return null;
  const about = { number: text };
  const [call, message] = [t("callNumber", about), t("messageNumber", about)];
  /** @type {WayLink[]} */
  const links = [
    { href: `tel:${number}`, symbol: "phone", word: t("call"), name: call },
    { href: `sms:${number}`, symbol: "message", word: t("message"), name: message },
  ];
  return { detail, text, links };
}

/** The first way of each kind, as round symbols. @param {readonly Way[]} ways */
export function waysBar(ways) {
  const firsts = ways.filter(({ isFirst }) => isFirst);
  const shown = firsts.flatMap(({ links }) => links).map(({ href, symbol, word, name }) =>
    h(
      "a.way",
      { href, "aria-label": name, title: name },
      h("span.anchor.symbol", icon(symbol)),
      word,
    )
  );
  return h("div.bar.ways", shown);
}
