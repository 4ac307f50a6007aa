import { fill, h, t } from "../core/base.js";
import { withSession } from "../core/acts.js";
import { upload } from "../core/upload.js";
import { form } from "../fields/controls.js";
import { pickedFile } from "../fields/picked_file.js";

/** @param {Session} session */
export function accountImport(session) {
  const { file, input, progress } = pickedFile(t("importFile"), t("sending"), ".jsonl");
  const state = h("p", { role: "status" });
  const submit = async () => {
    const chosen = input.files?.[0];
    if (chosen === undefined) return;
    const headers = { "Content-Type": "application/jsonl" };
    const showProgress = (/** @type {number} */ part) => {
      progress.value = part;
      if (part === 1) fill(state, t("importRunning"));
    };
    progress.hidden = false;
    fill(state);
    try {
      const { counts, sha256 } = await withSession(
        session.account.email,
        () => upload("/api/v2/account/imports", chosen, headers, showProgress),
      );
      const count = Object.values(counts).reduce((sum, one) => sum + Number(one), 0);
      fill(state, t("imported", { count }), " ", h("span.exact.small", sha256));
      input.value = "";
    } catch (error) {
      fill(state);
      throw error;
    } finally {
      progress.hidden = true;
    }
  };
  return h("div", h("p", t("importText")), form([file], t("importNow"), submit), state);
}
