/** Details of people as text. */

const PAGE = /^(?:https?:\/\/|www\.)\S+$/i;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const NUMBER = /^[+()\d][\d\s().\/-]*$/;

/** Detects the kind by the form of the text. @param {string} text */
export function guessDetail(text) {
  const value = text.trim();
  if (EMAIL.test(value)) return { kind: "EMAIL", value: { value } };
  if (PAGE.test(value)) return { kind: "URL", value: { value } };
  return { kind: NUMBER.test(value) ? "PHONE" : "HANDLE", value: { value } };
}

const NAME = ["prefix", "given", "additional", "family", "suffix"];
const ADDRESS = ["extra", "street", "box", "postalCode", "locality", "region", "country"];

/** @param {{ kind: string, value: any }} detail */
export function detailText({ kind, value }) {
  switch (kind) {
    case "NAME":
      return [...NAME, "nickname", "phonetic"].flatMap((name) => value[name] ?? []).join(" ");
    case "ADDRESS":
      return ADDRESS.flatMap((name) => value[name] ?? []).join(", ");
    case "ORGANIZATION":
      return [value.title, value.department, value.name].filter(Boolean).join(", ");
    case "DATE":
      return value.date;
    case "LINK":
      return value.name ?? "";
    case "HANDLE":
      return value.service === undefined ? value.value : `${value.value} (${value.service})`;
    default:
      return value.value;
  }
}

/**
 * Full years since a date; null without a year, or before it.
 * @param {string} date `1984-02-29`, `--02-29` or `1984`.
 * @param {string} day `YYYY-MM-DD`
 */
export function yearsBetween(date, day) {
  const [, year, rest = ""] = /^(\d{4})(?:-(\d\d-\d\d))?$/.exec(date) ?? [];
  if (year === undefined) return null;
  const years = Number(day.slice(0, 4)) - Number(year) - (day.slice(5) < rest ? 1 : 0);
  return years < 0 ? null : years;
}
