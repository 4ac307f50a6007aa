/** The passkeys of the account: add, rename and remove. */

import { askButton, proofButton } from "../core/acts/buttons.js";
import { withProof } from "../core/acts/password.js";
import { announce, h } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { visit } from "../core/base/visits.js";
import { timeText } from "../fields/shown/times.js";
import {
  addPasskey,
  canUsePasskeys,
  PasskeyProblem,
  readSignal,
  sendSignal,
} from "../core/passkeys.js";
import { form } from "../fields/controls/forms.js";
import { lineField } from "../fields/controls/lines.js";
import { credentialRow, usedText } from "./credentials/sessions.js";
import { listPage } from "./parts/lists.js";

const API = "/api/v2/auth/passkeys";
const PATH = "/console/passkeys";
const PURPOSE = "PASSKEY_CHANGE";

/** @type {Page} */
export async function passkeys({ query }) {
  const signal = await readSignal();
  sendSignal(signal);
  return await listPage(query, {
    title: t("passkeys"),
    api: API,
    above: () => h("div", h("p", t("passkeysText")), addForm()),
    line: ({ passkeyId, name, rpId, backedUp, createdAt, lastUsedAt }) =>
      credentialRow("key", h("span.words", name), [
        backedUp && t("passkeyBackedUp"),
        rpId !== signal.rpId && t("passkeyElsewhere", { host: rpId }),
        usedText(lastUsedAt),
        t("createdAt", { time: timeText(createdAt) }),
      ], { of: name, items: [renameButton(passkeyId, name), removeButton(passkeyId, name)] }),
  });
}

/** @param {string} passkeyId @param {string} name */
function renameButton(passkeyId, name) {
  const label = t("renamePasskeyNamed", { name });
  const row = { name: "name", label: t("newName"), required: true, initial: name };
  return askButton(
    {
      method: "PATCH",
      path: `${API}/${passkeyId}`,
      name: t("rename"),
      label,
      title: label,
      action: t("keep"),
      done: t("passkeyRenamed"),
    },
    () => [lineField(row)],
    (body) => body,
  );
}

/** @param {string} passkeyId @param {string} name */
function removeButton(passkeyId, name) {
  return proofButton(
    {
      path: `${API}/${passkeyId}/remove`,
      name: t("removeIt"),
      label: t("removePasskey", { name }),
      done: t("passkeyRemoved"),
      isGrave: true,
    },
    { purpose: PURPOSE, what: t("removePasskeyTitle"), thing: name },
  );
}

function addForm() {
  if (!canUsePasskeys()) return h("p.quiet", t("passkeysUnsupported"));
  const name = lineField({
    name: "name",
    label: t("passkeyName"),
    hint: t("passkeyNameHint"),
    required: true,
    limits: { maximumLength: 100 },
  });
  const what = t("addPasskey");
  const add = async () => {
    try {
      const added = await withProof(
        { purpose: PURPOSE, what, thing: name.text() },
        (proof) => addPasskey(name.text(), proof).then(() => true),
      );
      if (added === null) return;
      announce(t("passkeyAdded"));
      await visit(PATH);
    } catch (error) {
      if (!(error instanceof PasskeyProblem)) throw error;
      name.refuse(error.message);
    }
  };
  return form([name], what, add);
}
