/** Reads XML into the events that `expat_oracle.py` prints, and generates XML. */

import { readXml, type XmlOptions } from "../../src/imports/converters/markup/xml_reader.ts";
import { FileRefusal } from "../../src/imports/refusal.ts";
import type { Random } from "./random.ts";

/** A start tag with its attributes, a text, or an end tag. */
export type XmlEvent = readonly [string, Readonly<Record<string, string>>] | string | [string];

/** The events of a file; if it is refused, the rule and the line instead. */
export async function xmlEvents(
  file: string | Uint8Array,
  chunkBytes: number,
  options?: XmlOptions,
): Promise<readonly XmlEvent[] | string> {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      yield bytes.subarray(at, at + chunkBytes);
    }
  }
  const events: XmlEvent[] = [];
  try {
    for await (const parts of readXml(chunks(), options)) {
      for (const part of parts) {
        const last = events.at(-1);
        if (part.kind === "start") events.push([part.name, Object.fromEntries(part.attributes)]);
        else if (part.kind === "end") events.push([part.name]);
        else if (typeof last === "string") events[events.length - 1] = last + part.text;
        else events.push(part.text);
      }
    }
    return events;
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    return `${error.rule} ${error.place}`;
  }
}

/** A well-formed file of up to ten levels, without entities of its own. */
export function randomXml(random: Random): string {
  const head = random.pick(["", "\ufeff", '<?xml version="1.0" encoding="UTF-8"?>\n']) +
    random.pick(["", "<!-- <a> -->", "<?x <a>?>\r\n", DOCUMENT_TYPE]);
  return head + element(random, random.integer(0, 10)) +
    random.pick(["", "\n", "<!--a-->", "<?b?>"]);
}

const DOCUMENT_TYPE =
  `<!DOCTYPE a [\n<!-- <b> --><!ELEMENT a (b|c)*>\n<!ATTLIST b\n  c CDATA #IMPLIED\n>]>`;
const NAMES = ["a", "b", "Record", "en-note", "_x", "x:y", "é", "漢1", "a.b"];
const BLANKS = [" ", "\n", "\t", "\r\n", "  ", "\r"];
const WORDS = ["x", "'", ">", "&amp;", "&lt;", "&#65;", "&#x1F642;", "&#10;", "&#13;", "&quot;"];
const TEXTS = [...WORDS, "]]", '"', "é", "🙂", "漢字", "word", "", ...BLANKS];

function element(random: Random, levels: number): string {
  const name = random.pick(NAMES);
  const blank = () => random.chance(0.2) ? random.pick(BLANKS) : "";
  const names = NAMES.filter(() => random.chance(0.2));
  const attributes = names.map((attribute) => {
    const quote = random.pick(['"', "'"]);
    const value = many(random, () => random.pick(TEXTS)).replaceAll(quote, "");
    return `${random.pick(BLANKS)}${attribute}${blank()}=${blank()}${quote}${value}${quote}`;
  });
  const tag = `<${name}${attributes.join("")}${blank()}`;
  if (random.chance(0.2)) return `${tag}/>`;
  const content = many(random, () => contentOf(random, levels));
  return `${tag}>${content}</${name}${blank()}>`;
}

function contentOf(random: Random, levels: number): string {
  switch (random.integer(0, 6)) {
    case 0:
      return random.pick(["<!---->", "<!-- </a> > - -->", "<?a?>", "<?php <b> > ?>"]);
    case 1:
      return `<![CDATA[${random.pick(["", "<b>", "]", "]] >", "&amp;&x;", "\r\n]", "]]]"])}]]>`;
    case 2:
    case 3:
      return levels === 0 ? "" : element(random, levels - 1);
    default:
      return random.pick(TEXTS).replace("]]", "]");
  }
}

function many(random: Random, make: () => string): string {
  return Array.from({ length: random.integer(0, 5) }, make).join("");
}

/** The bytes of a file with a few of them changed, removed or repeated. */
export function damaged(random: Random, file: string): Uint8Array {
  let bytes = [...new TextEncoder().encode(file)];
  for (let count = random.integer(1, 3); count > 0; count--) {
    const at = random.integer(0, bytes.length);
    const to = Math.min(bytes.length, at + random.integer(0, 4));
    const inserted = random.pick([[], ["<"], ["&"], ['"'], [">"], ["/"], [..."<a>"], [..."</a>"]]);
    const codes = inserted.map((character) => character.charCodeAt(0));
    bytes = [...bytes.slice(0, at), ...codes, ...bytes.slice(to)];
  }
  return Uint8Array.from(bytes);
}
