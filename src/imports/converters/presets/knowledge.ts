/** Knowledge from the rows of presets. */

import { isPublicReference } from "../../../validate/public_reference.ts";
import { firstCodePoints, isBlank, isLongerThan } from "../../../validate/text.ts";
import { fitTitle } from "../../fit_members.ts";
import { cleanLine, cleanLines, withLongTitle } from "../apps/clean_text.ts";
import type { SourceItem } from "../converter.ts";
import { importUrn } from "../import_urn.ts";
import type { PresetContext } from "./preset.ts";
import { creationTime } from "./preset_times.ts";

/** Code points of the fields of knowledge. */
const MAX_AUTHOR = 500;
const MAX_URL = 2048;

interface SourceKnowledge {
  readonly key: string;
  readonly title: string;
  readonly sourceType: "BOOK" | "WEBPAGE" | "OTHER";
  /** An address that is made of the key replaces one that is not valid; null for none. */
  readonly url: string | null;
  readonly author?: string;
  readonly readingStatus: string;
  readonly annotation?: string;
  readonly snapshot?: string;
  readonly tags: readonly string[];
  /** The time of creation as written; empty for none. */
  readonly created: string;
}

export function knowledgeItem(
  { key, created, tags, ...known }: SourceKnowledge,
  { source, mapping }: PresetContext,
): SourceItem {
  const title = cleanLine(known.title) || "Untitled";
  const { recordedAt, rules } = creationTime(created, mapping);
  const author = cleanLine(known.author ?? "");
  const { annotation = "", snapshot } = known;
  const url = known.url === null ? null : referenceOf(known.url);
  const ownWords = snapshot === undefined ? withLongTitle(annotation, title) : annotation;
  return {
    members: {
      key,
      target: "knowledge",
      title,
      payload: {
        sourceType: known.sourceType,
        url: url ?? importUrn(source, key),
        sourceTitle: fitTitle(title).title,
        readingStatus: known.readingStatus,
        ...author !== "" && { author: firstCodePoints(author, MAX_AUTHOR) },
        ...!isBlank(ownWords) && { annotation: ownWords },
        ...snapshot !== undefined && { snapshot: withLongTitle(snapshot, title) },
      },
      tags: cleanLines(tags),
      ...recordedAt !== null && { recordedAt },
    },
    rules,
    unmapped: [
      ...url === null && known.url !== null ? ["url"] : [],
      ...isLongerThan(author, MAX_AUTHOR) ? ["author"] : [],
    ],
    isTitleInText: true,
  };
}

/** The address, which may have blanks; null for one that a record cannot have. */
function referenceOf(url: string): string | null {
  const written = url.replaceAll(" ", "%20");
  return isPublicReference(written) && !isLongerThan(written, MAX_URL) ? written : null;
}
