import { h, t } from "../../core/base.js";
import { TAGS } from "./tag_paths.js";

/** @param {any} term */
export function termLine({ termId, kind, name, aliases, active, mergedInto }) {
  const facts = [
    kind === "CATEGORY" && t("category"),
    aliases.length > 0 && t("alsoCalled", { names: aliases.join(", ") }),
    mergedInto !== null ? t("isMerged") : !active && t("inactive"),
  ];
  return h(
    "li",
    h("a.words", { href: `${TAGS}/${termId}` }, name),
    h("span.quiet.small", facts.filter(Boolean).join(" · ")),
  );
}
