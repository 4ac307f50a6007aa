/** People for imports. */

import { number, text } from "../../catalog/fields.ts";
import type { ImportTarget } from "../../kit/import_target.ts";
import { linkedPerson } from "./detail.ts";
import { decideImported } from "./imported_people.ts";
import { insertPeople, lockPerson } from "./imported_person.ts";

export { MAX_CARD_LINES_BYTES } from "./card_lines.ts";
export {
  DATE_WORDS,
  type DetailKind,
  MAX_LABEL,
  MAX_LIVE_DETAILS,
  MAX_MEMBER_LENGTH,
  MAX_OTHER_BYTES,
  MAX_TYPES,
  parseDetailDate,
  TYPE,
  valueViolations,
} from "./detail_value.ts";
export { comparedUid, isSharedUid, MAX_UID_BYTES, MAX_UIDS, personOfUid } from "./card_uids.ts";
export { CARD_PRODUCT } from "./vcard.ts";
export { comparedForms, foundUnder, lookedUpBy } from "./compared_number.ts";
export { decideImported, findPeople } from "./imported_people.ts";
export { isLink, isNoDifference, personDifference } from "./person_difference.ts";
export { findSharing } from "./sharing_people.ts";
export { findEntries } from "./stored_entries.ts";
export { ADDRESS_PARTS, NAME_PARTS } from "./vcard_text.ts";
export type { StoredUid } from "./vcard_sources.ts";

export const PERSON_TARGET: ImportTarget = {
  name: "person",
  moduleCode: "relationship",
  permissions: ["relationship.person.write", "relationship.ledger.write"],
  fields: [
    text("relationshipType"),
    number("importance", { minimum: 1, maximum: 5, integer: true }),
    number("desiredContactIntervalDays", { minimum: 1, maximum: 3_650, integer: true }),
  ],
  fileField: null,
  textField: null,
  check(content, now) {
    const { details } = decideImported(content, now);
    return { attachments: [], people: details.flatMap((detail) => linkedPerson(detail) ?? []) };
  },
  insert: insertPeople,
  lock: lockPerson,
};
