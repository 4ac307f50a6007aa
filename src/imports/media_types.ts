/** Media types by file extension. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  heic: "image/heic",
  heif: "image/heif",
  avif: "image/avif",
  tif: "image/tiff",
  tiff: "image/tiff",
  svg: "image/svg+xml",
  bmp: "image/bmp",
  mp4: "video/mp4",
  m4v: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  aac: "audio/aac",
  wav: "audio/wav",
  ogg: "audio/ogg",
  opus: "audio/opus",
  flac: "audio/flac",
  caf: "audio/x-caf",
  "3gp": "video/3gpp",
  pdf: "application/pdf",
  zip: "application/zip",
  tar: "application/x-tar",
  txt: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
  json: "application/json",
  jsonl: "application/jsonl",
};

/** By the extension of a name or path. */
export function mediaTypeOf(name: string): string {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return BY_EXTENSION[extension] ?? "application/octet-stream";
}

/** The extension of a media type: the first that has it, else its own name, else `bin`. */
export function extensionOf(mediaType: string): string {
  const known = Object.entries(BY_EXTENSION).find(([, type]) => type === mediaType)?.[0];
  return known ?? /^[a-z]+\/([a-z0-9]{1,5})$/.exec(mediaType)?.[1] ?? "bin";
}
