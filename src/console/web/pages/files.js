import { h, t, timeText } from "../core/base.js";
import { fileParts, sizeText } from "../fields/shown.js";
import { line } from "../fields/controls.js";
import { listPage } from "./list_page.js";

/** @type {Page} */
export default function files({ query }) {
  return listPage(query, {
    title: t("files"),
    page: "/console/files",
    api: "/api/v2/attachments",
    none: t("noneYet"),
    isLong: true,
    above: () => h("p", t("filesText")),
    line: (file) =>
      line(fileParts(file), [
        h("time", { datetime: file.createdAt }, timeText(file.createdAt)),
        sizeText(file.size),
        h("span.exact", file.mediaType),
      ]),
  });
}
