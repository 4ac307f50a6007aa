import { t } from "../core/text.js";
import { lineField } from "./text.js";

export function emailField() {
  return lineField({
    name: "email",
    label: t("email"),
    required: true,
    type: "email",
    autocomplete: "username",
  });
}
