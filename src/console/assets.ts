/**
 * The console's files as they are served: byte for byte the content of `src/console/web/`, each with its
 * entity tag, compressed once for browsers that accept gzip.
 */

import { gzipSync } from "node:zlib";
import { sha256Hex } from "../core/digest.ts";
import { namesEntityTag } from "../http/entity_tag.ts";
import type { Reply } from "../http/reply.ts";
import type { Call } from "../http/route.ts";
import { FILES } from "./files.ts";
import { preloadLinks } from "./preloads.ts";

/** The paths of the console's files begin so. */
export const ASSETS = "/console/assets/";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** A static asset. */
interface Asset {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly compressed: Uint8Array<ArrayBuffer>;
  readonly tag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The pages and files of the console, for the route table. */
export interface ConsolePages {
  /** The shell, the same text for every page, at a path of the route table. */
  readonly shell: (path: string) => (call: Call) => Reply;
  /** One file for each path below `ASSETS`. */
  readonly files: ReadonlyMap<string, (call: Call) => Reply>;
}

/**
 * Makes the console's answers.
 *
 * @param origin The public origin: the shell lets scripts and styles come from its own files there alone.
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
 * The content security policy of the shell: scripts from the console's own folder only, so that an uploaded
 * file, which has the same origin, never runs; pictures of attachments; and the API. No text becomes HTML.
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
      // Revalidated each time, so that a page never mixes two releases.
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

/** Whether an Accept-Encoding header names gzip, and not with weight 0. */
function takesGzip(header: string | null): boolean {
  return (header ?? "").split(",").some((entry) => {
    const [coding = "", ...parameters] = entry.toLowerCase().split(";").map((part) => part.trim());
    return coding === "gzip" && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
  });
}
