/** The fields of a payload that name attachments. */

import type { JsonObject } from "../core/json.ts";
import { attachmentIds } from "../validate/attachment_ids.ts";
import type { Field, FieldSet } from "./module.ts";
import { PayloadView } from "./payload_view.ts";

type Fields = Pick<FieldSet, "fields">;

/** The identifiers in a field for files; none in other fields. */
export function filesOf(field: Field, view: PayloadView): readonly string[] {
  if (field.edit === "file") return view.list(field.name) ?? [];
  const id = field.attachment === true ? view.text(field.name) : undefined;
  return id === undefined ? [] : [id];
}

/** The `attachmentIds` of a payload: its fields for files, then its texts. */
export function payloadAttachmentIds({ fields }: Fields, payload: JsonObject): readonly string[] {
  const view = new PayloadView(payload);
  const texts = fields.filter(({ edit }) => edit === "text" || edit === "textarea");
  return attachmentIds(
    fields.flatMap((field) => filesOf(field, view)),
    texts.map(({ name }) => view.text(name) ?? null),
  );
}
