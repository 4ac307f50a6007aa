import { h, send, t, timeText } from "../../core/base.js";
import { readModule } from "../../core/names.js";
import { dayText, valuesList } from "../../fields/shown.js";
import { IDENTITY_API, PROFILE } from "./parts.js";

/** @type {Page} */
export default async function snapshotPage({ params: { id } }) {
  const [module, { data: snapshot }] = await Promise.all([
    readModule("identity"),
    send("GET", `${IDENTITY_API}/snapshots/${id}`),
  ]);
  const { label, asOf, fields, profileRevision, createdAt } = snapshot;
  const made = profileRevision === null
    ? t("snapshotMade", { time: timeText(createdAt) })
    : t("snapshotOf", { time: timeText(createdAt), revision: profileRevision });
  return {
    title: label,
    body: [
      asOf !== null && h("p", t("selfAsOf", { time: dayText(asOf) })),
      valuesList(module?.fields ?? [], fields),
      h(
        "div.bar",
        h("a.main", { href: `${PROFILE}/compare?left=${id}` }, t("compareSelves")),
        h("a", { href: PROFILE }, t("profile")),
      ),
      h("p.quiet.small", made),
    ],
  };
}
