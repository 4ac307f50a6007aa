/** A text with entity tags, gzipped once. */

import { gzipSync } from "node:zlib";
import { sha256Hex } from "../core/digest.ts";
import { namesEntityTag } from "../http/entity_tag.ts";
import { chooseForm } from "../http/gzip.ts";
import type { Reply } from "../http/reply.ts";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

interface Asset {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly compressed: Uint8Array<ArrayBuffer>;
  readonly tag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Made at the first request. */
export function lazyAsset(
  name: string,
  text: string,
  headers: () => Readonly<Record<string, string>>,
): () => Asset {
  let asset: Asset | undefined;
  return () => asset ??= makeAsset(name, text, headers());
}

function makeAsset(
  name: string,
  text: string,
  headers: Readonly<Record<string, string>>,
): Asset {
  const plain = new TextEncoder().encode(text);
  const mediaType = MEDIA_TYPES[name.slice(name.lastIndexOf(".") + 1)];
  if (mediaType === undefined) throw new Error(`The media type of ${name} is not known`);
  return {
    plain,
    compressed: new Uint8Array(gzipSync(plain)),
    tag: sha256Hex(text).slice(0, 32),
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
