/** A title is asked once. */

/**
 * Hides a module's own title while it is the same as the record's, which it then follows. It is
 * shown if it differs, or is refused.
 * @param {readonly Field[]} fields
 * @param {boolean} isNew
 */
export function followTitle(fields, isNew) {
  const title = fields.find(({ name }) => name === "title");
  const own = fields.find(({ name, required }) => required && /.(Title|Name)$/.test(name));
  if (title === undefined || own === undefined) return;
  const isSame = () => own.text().trim() === title.text().trim();
  if (!isSame() && !(isNew && own.text() === "")) return;
  const { problem, refuse } = own;
  own.element.hidden = true;
  if (own.text() === "") own.setText(title.text());
  title.element.addEventListener("input", () => {
    if (own.element.hidden) own.setText(title.text());
  });
  // A conflict may settle one of the two.
  own.element.addEventListener("input", () => own.element.hidden &&= isSame());
  own.problem = () => own.element.hidden ? "" : problem();
  own.refuse = (text) => {
    if (text !== "") own.element.hidden = false;
    refuse(text);
  };
}
