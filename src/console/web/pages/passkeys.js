/** The passkeys of the account: add, rename and remove. */

import { askButton, proofButton, withProof } from "../core/acts.js";
import { announce, h, t, timeText, visit } from "../core/base.js";
import { addPasskey, canUsePasskeys, PasskeyProblem } from "../core/passkeys.js";
import { form, line, lineField } from "../fields/controls.js";
import { listPage } from "./parts.js";

const API = "/api/v2/auth/passkeys";
const PATH = "/console/passkeys";
const PURPOSE = "PASSKEY_CHANGE";

/** @type {Page} */
export async function passkeys({ query }) {
  const passkeyLine = (/** @type {any} */ { passkeyId, name, rpId, backedUp, ...times }) => {
    const { createdAt, lastUsedAt } = times;
    const what = t("removePasskey", { name });
    return line(
      h("strong.words", name),
      [
        t("createdAt", { time: timeText(createdAt) }),
        lastUsedAt === null ? t("neverUsed") : t("lastUsed", { time: timeText(lastUsedAt) }),
        backedUp && t("passkeyBackedUp"),
        rpId !== location.hostname && t("passkeyElsewhere", { host: rpId }),
      ],
      renameButton(passkeyId, name),
      proofButton(
        {
          path: `${API}/${passkeyId}/remove`,
          done: t("passkeyRemoved"),
          page: PATH,
          name: t("removeIt"),
          label: what,
          isGrave: true,
        },
        { purpose: PURPOSE, what: t("removePasskeyTitle"), thing: name },
      ),
    );
  };
  return await listPage(query, {
    title: t("passkeys"),
    page: PATH,
    api: API,
    line: passkeyLine,
    above: () => h("div", h("p", t("passkeysText")), addForm()),
  });
}

/** @param {string} passkeyId @param {string} name */
function renameButton(passkeyId, name) {
  const label = t("renamePasskeyNamed", { name });
  const act = {
    method: /** @type {const} */ ("PATCH"),
    path: `${API}/${passkeyId}`,
    name: t("rename"),
    label,
    title: label,
    action: t("keep"),
    done: t("passkeyRenamed"),
    page: PATH,
  };
  const fields = () => {
    const field = lineField({ name: "name", label: t("newName"), required: true });
    field.setText(name);
    return [field];
  };
  return askButton(act, fields, (body) => body);
}

function addForm() {
  if (!canUsePasskeys()) return h("p.quiet", t("passkeysUnsupported"));
  const name = lineField({
    name: "name",
    label: t("passkeyName"),
    hint: t("passkeyNameHint"),
    required: true,
  });
  const add = async () => {
    const act = /** @type {const} */ ({ purpose: PURPOSE, what: t("addPasskey") });
    try {
      const added = await withProof({ ...act, thing: name.text() }, async (proof) => {
        await addPasskey(name.text(), proof);
        return true;
      });
      if (added === null) return;
      announce(t("passkeyAdded"));
      await visit(PATH);
    } catch (error) {
      if (!(error instanceof PasskeyProblem)) throw error;
      name.refuse(error.message);
    }
  };
  return form([name], t("addPasskey"), add);
}
