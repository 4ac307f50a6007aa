import { h } from "../core/dom.js";
import { sizeText } from "../core/numbers.js";
import { t, timeText } from "../core/text.js";
import { line } from "../fields/line.js";
import { fileParts } from "../fields/shown_file.js";
import { listPage } from "./list_page.js";

/** @type {import("../pages.js").Page} */
export default function files({ query }) {
  return listPage(query, {
    title: t("files"),
    page: "/console/files",
    api: "/api/v2/attachments",
    none: t("noneYet"),
    isLong: true,
    above: () => h("p", {}, t("filesText")),
    line: (file) =>
      line(fileParts(file), [
        h("time", { datetime: file.createdAt }, timeText(file.createdAt)),
        sizeText(file.size),
        h("span", { class: "exact" }, file.mediaType),
      ]),
  });
}
