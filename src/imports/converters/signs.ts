/** The signs by which formats are recognized. */

import { CONVERTERS } from "./converters.ts";
import { seeFile, type SeenFile, type SignSource } from "./seen_file.ts";

type Sign = (seen: SeenFile) => boolean;

/** Formats that no converter reads yet, before the one that follows them in the order of signs. */
const OTHERS: readonly (readonly [format: string, hasSign: Sign, before: string])[] = [
  [
    "journey",
    ({ isArchive, shapes }) => isArchive && shapes.some((each) => each.has("date_journal")),
    "google-keep",
  ],
];

/** The formats that a file has a sign of, in the order of recognition. */
export async function signsOf(source: SignSource): Promise<readonly string[]> {
  return signsIn(await seeFile(source));
}

/** The format of a file, also by a weak sign; null for an unknown one. */
export async function recognizeFormat(source: SignSource): Promise<string | null> {
  const seen = await seeFile(source);
  const readable = CONVERTERS.map(({ format }) => format);
  const strong = signsIn(seen).find((format) => readable.includes(format));
  if (strong !== undefined) return strong;
  for (const { format, mayBe } of CONVERTERS) if (await mayBe?.(seen)) return format;
  return null;
}

function signsIn(seen: SeenFile): readonly string[] {
  return CONVERTERS.flatMap(({ format, hasSign }) => {
    const others = OTHERS.filter(([, isSign, before]) => before === format && isSign(seen))
      .map(([name]) => name);
    return hasSign(seen) ? [...others, format] : others;
  });
}
