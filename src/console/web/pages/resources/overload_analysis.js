import { h, send, t, timeText } from "../../core/base.js";
import { shareText } from "../../fields/shown.js";
import { barPicture } from "../../core/charts.js";
import { label } from "../../core/names.js";
import { OVERLOAD_API, RESOURCES, RESOURCES_API } from "./resource_paths.js";

/** One request each, for the most used resources. */
const MAX_NAMED = 20;

/** @type {Page} */
export default async function overloadAnalysis({ params }) {
  const { data } = await send("GET", `${OVERLOAD_API}/${params.execution}`);
  const shown = await Promise.all(
    data.items.slice(0, MAX_NAMED).map(async (
      /** @type {any} */ item,
    ) => ({ ...item, name: (await send("GET", `${RESOURCES_API}/${item.resourceId}`)).data.name })),
  );
  const bars = shown.filter(({ utilisation }) => utilisation !== null)
    .map(({ name, utilisation }) => ({ name, value: utilisation }));
  const thresholds = {
    warning: shareText(data.warningFrom),
    overloaded: shareText(data.overloadedFrom),
  };
  return {
    title: t("overload"),
    body: [
      h("p", h("a", { href: `${RESOURCES}/overload` }, t("allOverloads"))),
      h("p", `${timeText(data.createdAt)}: ${t("overloadCounts", data.counts)}`),
      h("p.quiet.small", t("overloadFrom", thresholds)),
      bars.length > 0 && barPicture(t("utilisation"), bars, {
        columns: [t("resource"), t("utilisation")],
        valueText: shareText,
      }),
      h("ul.lines", shown.map(line)),
      data.items.length > MAX_NAMED &&
      h("p", t("moreResources", { count: data.items.length - MAX_NAMED })),
    ],
  };
}

/** @param {any} item */
function line({ resourceId, name, state, utilisation }) {
  const facts = [label(state), utilisation !== null && shareText(utilisation)];
  return h(
    "li",
    h("a.words", { href: `${RESOURCES}/${resourceId}` }, name),
    h("span.quiet.small", facts.filter(Boolean).join(" · ")),
  );
}
