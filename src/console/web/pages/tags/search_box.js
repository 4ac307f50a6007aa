import { fill, h, send, t } from "../../core/base.js";
import { form, lineField } from "../../fields/controls.js";
import { SEARCH_API } from "./tag_paths.js";
import { termLine } from "./term_line.js";

export function searchBox() {
  const name = lineField({ name: "q", label: t("findTerm"), required: true, words: true });
  const found = h("div", { role: "status" });
  const submit = async () => {
    const { data } = await send("POST", SEARCH_API, { body: { q: name.text() } });
    fill(
      found,
      data.items.length === 0
        ? h("p.quiet", t("noTermFound"))
        : h("ul.lines", data.items.map(termLine)),
    );
  };
  return h(
    "details",
    h("summary", t("findTermTitle")),
    h("div", { role: "search" }, form([name], t("find"), submit), found),
  );
}
