import { h, send, t, timeText } from "../../core/base.js";
import { readModule } from "../../core/names.js";
import { comparedField, differences } from "../../fields/differences.js";
import { sideText } from "./compare.js";
import { IDENTITY_API, PROFILE } from "./parts.js";

/** @type {Page} */
export default async function comparisonPage({ params: { id } }) {
  const [module, { data: comparison }] = await Promise.all([
    readModule("identity"),
    send("GET", `${IDENTITY_API}/comparisons/${id}`),
  ]);
  const { left, right, fields, createdAt } = comparison;
  const sides = await Promise.all([left, right].map(nameOf));
  const valuesOf = (/** @type {"left" | "right"} */ side) =>
    Object.fromEntries(fields.map((/** @type {any} */ field) => [field.field, field[side]]));
  // Sensitive fields are the purpose of this page.
  const compared = (module?.fields ?? []).map((field) => ({
    ...comparedField(field, (state) => state[field.name] ?? undefined),
    sensitive: false,
  }));
  return {
    title: t("selvesCompared", { from: sides[0] ?? "", to: sides[1] ?? "" }),
    body: [
      differences(compared, valuesOf("left"), valuesOf("right")),
      h("p.quiet.small", timeText(createdAt)),
      h("div.bar", h("a", { href: `${PROFILE}/compare` }, t("compareSelves"))),
    ],
  };
}

/** @param {any} side */
async function nameOf(side) {
  if (side.kind !== "SNAPSHOT") return sideText(side, new Map());
  const { data } = await send("GET", `${IDENTITY_API}/snapshots/${side.snapshotId}`);
  return data.label;
}
