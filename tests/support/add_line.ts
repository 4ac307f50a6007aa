/// <reference types="../../src/console/web/logic/types.d.ts" />

/** Reads lines at noon of one day, in one zone. */

import de from "../../src/console/web/lang/de/add_line.js";
import deLabels from "../../src/console/web/lang/de/labels/index.js";
import en from "../../src/console/web/lang/en/add_line.js";
import { label } from "../../src/console/web/core/names.js";
import { shownParts } from "../../src/console/web/logic/add_line/shown.js";
import { understand } from "../../src/console/web/logic/add_line/understand.js";

export const ZONE = "Europe/Berlin";
/** Saturday, 28 November 2026, 12:00. */
export const NOW = Date.parse("2026-11-28T12:00:00+01:00");
export const NOON = "2026-11-28T12:00";
export const TODAY = Date.parse("2026-11-28");
export const UUID = "5f0e5cf8-0000-4000-8000-000000000000";

export const SENTENCES: Readonly<Record<LineLanguage, Readonly<Record<string, string>>>> = {
  en,
  de,
};
const LABELS: Readonly<Record<string, string>> = deLabels;
const LOCALES = { en: "en-US", de: "de-DE" };

interface Options {
  readonly at?: string;
  readonly zone?: string;
  readonly kept?: readonly string[];
  readonly measure?: { kind: string; unit?: string };
}

export function nameOf(language: LineLanguage): (name: string) => string {
  return (name) => language === "en" ? label(name) : LABELS[name] ?? name;
}

export function read(
  language: LineLanguage,
  list: string,
  text: string,
  { at, zone = ZONE, kept = [], measure }: Options = {},
): Understood {
  const now = at === undefined ? NOW : Date.parse(at);
  return understand(list, text, {
    language,
    locale: LOCALES[language],
    now,
    zone,
    kept,
    measure,
    label: nameOf(language),
    uuid: () => UUID,
  });
}

export function show(language: LineLanguage, understood: Understood, today = TODAY): string {
  const t = (name: string, values: Readonly<Record<string, string | number>> = {}) =>
    (SENTENCES[language][name] ?? name).replace(
      /\{(\w+)\}/g,
      (_, key) => String(values[key] ?? ""),
    );
  const options = { t, label: nameOf(language), locale: LOCALES[language], today };
  return shownParts(understood, options).map(({ text }) => text).join(" · ");
}

/** The first payload or body. */
// deno-lint-ignore no-explicit-any
export function made({ records: [first] }: Understood): any {
  return first?.body.payload ?? first?.body;
}

/** A local time of the zone, as the API has it. */
export const at = (local: string, offset = "+01:00"): string => `${local}:00.000${offset}[${ZONE}]`;
