/** Descriptions of files that come without one. */

import { isFilename } from "../attachments/upload_head.ts";
import { baseNameOf } from "./converters/names.ts";

const BY_ENDING: Readonly<Record<string, string>> = {
  ...{ jpg: "image/jpeg", jpeg: "image/jpeg", png: "image/png", gif: "image/gif" },
  ...{ webp: "image/webp", heic: "image/heic", svg: "image/svg+xml", bmp: "image/bmp" },
  ...{ mp4: "video/mp4", m4v: "video/mp4", mov: "video/quicktime", webm: "video/webm" },
  ...{ mp3: "audio/mpeg", m4a: "audio/mp4", aac: "audio/aac", wav: "audio/wav", ogg: "audio/ogg" },
  ...{ pdf: "application/pdf", zip: "application/zip", tar: "application/x-tar" },
  ...{ txt: "text/plain", md: "text/markdown", csv: "text/csv", json: "application/json" },
  jsonl: "application/jsonl",
};

/** The media type that a name's ending tells. */
export function mediaTypeOf(name: string): string {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return BY_ENDING[ending] ?? "application/octet-stream";
}

/** The name of an attachment for a path in an archive. */
export function filenameOf(path: string): string {
  const name = baseNameOf(path);
  return isFilename(name) ? name : "file";
}
