/** Shared by the mappings of all formats. */

import { send, t, thisVisit, visit } from "../../core/base.js";
import { withSession } from "../../core/acts.js";
import { lineField } from "../../fields/controls.js";

/** @param {Session} session @param {any} data @param {string} page @param {() => any} mapping */
export function sending(session, { importId }, page, mapping) {
  return async () => {
    const here = thisVisit();
    const path = `/api/v2/imports/${importId}/mapping`;
    await withSession(session.account.email, () => send("PUT", path, { body: mapping() }));
    await visit(page, here);
  };
}

/** @param {any} data */
export function zoneField({ mapping }) {
  const zone = lineField({ name: "timeZone", label: t("importZone"), hint: t("importZoneHint") });
  zone.setText(mapping?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  return zone;
}
