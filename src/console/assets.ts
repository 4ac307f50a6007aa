/** The files of `src/console/web/`, served byte for byte with entity tags, and gzipped once. */

import { gzipSync } from "node:zlib";
import { sha256Hex } from "../core/digest.ts";
import { namesEntityTag } from "../http/entity_tag.ts";
import type { Reply } from "../http/reply.ts";
import type { Call } from "../http/route.ts";
import { FILES } from "./files.ts";
import { preloadLinks } from "./preloads.ts";

export const ASSETS = "/console/assets/";

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

export interface ConsolePages {
  /** The shell is one text for all pages; `path` chooses its preloads. */
  readonly shell: (path: string) => (call: Call) => Reply;
  /** Keyed by file path under `ASSETS`. */
  readonly files: ReadonlyMap<string, (call: Call) => Reply>;
}

/**
 * @param origin The public origin. The shell allows only scripts and styles of its assets folder.
 */
export function createConsolePages(origin: string): ConsolePages {
  const { "index.html": shell, ...files } = FILES;
  const answer = (name: string, text: string, headers = () => ({})) => {
    let asset: Asset | undefined;
    return ({ request }: Call) =>
      serve(asset ??= makeAsset(name, text, headers()), request.headers);
  };
  return {
    shell: (path) => answer("index.html", shell, () => shellHeaders(origin, path)),
    files: new Map(
      Object.entries(files).map(([name, text]) => [`${ASSETS}${name}`, answer(name, text)]),
    ),
  };
}

/**
 * Scripts come only from the assets folder: an uploaded file has the same origin and must never
 * run.
 */
function shellHeaders(origin: string, path: string): Readonly<Record<string, string>> {
  const assets = `${origin}${ASSETS}`;
  const links = preloadLinks(path, ASSETS);
  return {
    "Content-Security-Policy": [
      "default-src 'none'",
      `script-src ${assets}`,
      `style-src ${assets}`,
      `img-src ${assets} ${origin}/api/v2/attachments/`,
      `connect-src ${origin}/api/`,
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join("; "),
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
    ...(links !== "" && { Link: links }),
  };
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
      // So that a page never mixes two releases.
      "Cache-Control": "no-cache",
      "Content-Type": mediaType,
      Vary: "Accept-Encoding",
      ...headers,
    },
  };
}

function serve({ plain, compressed, tag, headers }: Asset, sent: Headers): Reply {
  const isCompressed = takesGzip(sent.get("Accept-Encoding"));
  const etag = isCompressed ? `"${tag}-gzip"` : `"${tag}"`;
  if (namesEntityTag(sent.get("If-None-Match"), etag)) {
    return { status: 304, headers: { ...headers, ETag: etag } };
  }
  return {
    status: 200,
    body: isCompressed ? compressed : plain,
    headers: { ...headers, ETag: etag, ...(isCompressed && { "Content-Encoding": "gzip" }) },
  };
}

function takesGzip(header: string | null): boolean {
  return (header ?? "").split(",").some((entry) => {
    const [coding = "", ...parameters] = entry.toLowerCase().split(";").map((part) => part.trim());
    return coding === "gzip" && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
  });
}
