/** A person's text as it is meant, drawn from Markdown without HTML. */

import { h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { parseMarkdown } from "../../logic/markdown/blocks.js";
import { plainValue } from "../shown/values.js";
import { placedPicture, showPictures } from "./pictures.js";
import { placedRecording } from "./recordings.js";
import { addressOrWords, fileLink, outwardLink } from "./places.js";

/**
 * The text, and below it a button that shows its source. A text without signs is shown as it is.
 * @param {string} text @param {string} [look] Classes.
 */
export function writtenText(text, look = "") {
  const source = h("p", { class: `words ${look}` }, text);
  const blocks = parseMarkdown(text);
  if (blocks.every(isPlain)) return source;
  const drawn = h("div", { class: `words written ${look}` }, blocks.map(drawnBlock));
  showPictures(drawn);
  source.hidden = true;
  const onclick = () => {
    source.hidden = drawn.hidden;
    drawn.hidden = !drawn.hidden;
    button.setAttribute("aria-pressed", String(drawn.hidden));
  };
  const button = h("button.plain.small", { "aria-pressed": "false", onclick }, t("asWritten"));
  return h("div", drawn, source, button);
}

/** As `plainValue`, with long texts drawn, and links of addresses. @type {typeof plainValue} */
export function writtenValue(field, value) {
  if (field.edit === "textarea") return writtenText(String(value));
  const isText = field.edit === "text" && !field.attachment;
  return isText ? addressOrWords(String(value)) : plainValue(field, value);
}

/** @param {MarkdownBlock} block */
function isPlain(block) {
  return block.kind === "paragraph" && block.children.every((word) => typeof word === "string");
}

/**
 * True for several pictures without words, as imports write them.
 * @param {MarkdownParagraph} block
 */
function isGallery({ children }) {
  const isFile = (/** @type {MarkdownWord} */ word) =>
    typeof word === "string" ? word.trim() === "" : "file" in word;
  const pictures = children.filter((word) => typeof word !== "string" && word.kind === "picture");
  return pictures.length > 1 && children.every(isFile);
}

/** @param {MarkdownBlock} block @returns {Element} */
function drawnBlock(block) {
  switch (block.kind) {
    case "paragraph":
      return h(isGallery(block) ? "p.pictures" : "p", drawnWords(block.children));
    case "heading":
      return h(/** @type {"h2"} */ (`h${block.level}`), drawnWords(block.children));
    case "list": {
      const { start } = block;
      const items = block.children.map(drawnBlock);
      return start === null ? h("ul", items) : h("ol", { start }, items);
    }
    case "item":
      return h("li", drawnTask(block.checked), block.children.map(drawnBlock));
    case "quote":
    case "text":
      return h("blockquote", block.children.map(drawnBlock));
    case "code":
      return h("pre.exact", block.text);
    case "grid":
      return drawnTable(block);
    case "rule":
      return h("hr");
  }
}

/** @param {boolean | null} checked */
function drawnTask(checked) {
  if (checked === null) return null;
  const name = t(checked ? "done" : "openOnes");
  return h("span.task", { role: "img", "aria-label": name }, checked ? "☑" : "☐");
}

/** @param {MarkdownTable} table */
function drawnTable({ head, rows }) {
  const headRow = h("tr", head.map((words) => h("th", { scope: "col" }, drawnWords(words))));
  const rest = rows.map((row) => h("tr", row.map((words) => h("td", drawnWords(words)))));
  const name = head.map(plainText).join(", ").trim() || t("asTable");
  const region = { role: "region", "aria-label": name, tabindex: 0 };
  return h("div.scrolls", region, h("table", h("thead", headRow), h("tbody", rest)));
}

/** @param {MarkdownWords} words @returns {Child[]} */
function drawnWords(words) {
  return words.map((word, index) => {
    if (typeof word === "string") return word;
    if (word.kind === "code") return h("code", word.text);
    const { kind, href, file = "", children } = word;
    if (kind === "picture") return placedPicture(file, plainText(children));
    const inner = drawnWords(children);
    if (kind === "link") {
      if (href !== undefined) return outwardLink(href, inner);
      return isOwnLine(words, index) ? placedRecording(file, inner) : fileLink(file, inner);
    }
    return h(kind === "strong" ? "strong" : "em", inner);
  });
}

/** @param {MarkdownWords} words @param {number} index */
function isOwnLine(words, index) {
  const [before = "\n", after = "\n"] = [words[index - 1], words[index + 1]];
  return typeof before === "string" && before.endsWith("\n") &&
    typeof after === "string" && after.startsWith("\n");
}

/** @param {MarkdownWords} words @returns {string} */
function plainText(words) {
  return words.map((word) =>
    typeof word === "string" ? word : word.kind === "code" ? word.text : plainText(word.children)
  ).join("");
}
