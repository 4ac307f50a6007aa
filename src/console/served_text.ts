/** A text or picture with entity tags, gzipped once. */

import { gzipSync } from "node:zlib";
import { sha256Hex } from "../core/digest.ts";
import { namesEntityTag } from "../http/entity_tag.ts";
import { chooseForm } from "../http/gzip.ts";
import type { Reply } from "../http/reply.ts";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  webmanifest: "application/manifest+json",
};

interface Asset {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly compressed: Uint8Array<ArrayBuffer>;
  readonly tag: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type AssetContent = string | Uint8Array<ArrayBuffer>;

/** Made at the first request. */
export function lazyAsset(
  name: string,
  content: AssetContent,
  headers: () => Readonly<Record<string, string>>,
): () => Asset {
  let asset: Asset | undefined;
  return () => asset ??= makeAsset(name, content, headers());
}

function makeAsset(
  name: string,
  content: AssetContent,
  headers: Readonly<Record<string, string>>,
): Asset {
  const plain = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const mediaType = MEDIA_TYPES[name.slice(name.lastIndexOf(".") + 1)];
  if (mediaType === undefined) throw new Error(`The media type of ${name} is not known`);
  return {
    plain,
    compressed: new Uint8Array(gzipSync(plain)),
    tag: sha256Hex(content).slice(0, 32),
    headers: {
      "Content-Type": mediaType,
      Vary: "Accept-Encoding",
      ...headers,
    },
  };
}

/** Answers 304 for a known tag, unless the status is not 200. */
export function serve(
  { plain, compressed, tag, headers }: Asset,
  sent: Headers,
  status = 200,
): Reply {
  const { isCompressed, etag } = chooseForm(sent, tag);
  if (status === 200 && namesEntityTag(sent.get("If-None-Match"), etag)) {
    return { status: 304, headers: { ...headers, ETag: etag } };
  }
  return {
    status,
    body: isCompressed ? compressed : plain,
    headers: { ...headers, ETag: etag, ...(isCompressed && { "Content-Encoding": "gzip" }) },
  };
}
