import { LINE_DE } from "./words_de.js";
import { LINE_EN } from "./words_en.js";

/** @type {Readonly<Record<LineLanguage, LineWords>>} */
export const LINE_WORDS = { en: LINE_EN, de: LINE_DE };
