/** The signs by which formats are recognized. */

import { CONVERTERS } from "./converters.ts";
import { seeFile, type SeenFile, type SignSource } from "./seen_file.ts";

/** The formats that a file has a sign of, in the order of recognition. */
export async function signsOf(source: SignSource): Promise<readonly string[]> {
  return await signsIn(await seeFile(source));
}

/** The format of a file, also by a weak sign; null for an unknown one. */
export async function recognizeFormat(source: SignSource): Promise<string | null> {
  const seen = await seeFile(source);
  const [strong] = await signsIn(seen);
  if (strong !== undefined) return strong;
  for (const { format, mayBe } of CONVERTERS) if (await mayBe?.(seen)) return format;
  return null;
}

async function signsIn(seen: SeenFile): Promise<readonly string[]> {
  const signs: string[] = [];
  for (const { format, hasSign } of CONVERTERS) if (await hasSign(seen)) signs.push(format);
  return signs;
}
