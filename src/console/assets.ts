/** Serves the files of `joined.ts`, and one shell for all pages. */

import { cookieName } from "../access/credentials.ts";
import { sha256Hex } from "../core/digest.ts";
import { prefersHtml } from "../http/media_types.ts";
import type { Reply, TextReply } from "../http/reply.ts";
import type { Call } from "../http/route.ts";
import { FILES, PICTURES } from "./joined.ts";
import { MANIFEST, MANIFEST_PATH } from "./manifest.ts";
import { AUTHORIZE, preloadLinks } from "./preloads.ts";
import { type Shared, withShared } from "./share.ts";
import { type AssetContent, lazyAsset, serve } from "./served_text.ts";

const ASSETS = "/console/assets/";

/** Part of every asset's address, so that an address never changes its file. */
const DIGEST = digestOf({ ...FILES, ...PICTURES }).slice(0, 12);
const VERSIONED = `${ASSETS}${DIGEST}/`;

function digestOf(files: Readonly<Record<string, AssetContent>>): string {
  const digests = Object.entries(files).map(([name, content]) => [name, sha256Hex(content)]);
  return sha256Hex(JSON.stringify(digests));
}

export interface ConsolePages {
  /** The shell is one text for all pages; `path` chooses its preloads. */
  readonly shell: (path: string) => (call: Call) => Reply;
  /** The shell with status 404, for a browser outside the API; otherwise null. */
  readonly missing: (call: Call) => Reply | null;
  /** The shell of the capture page with shared words and files. Nothing may store it. */
  readonly shared: (shared: Shared, call: Call, status: number) => TextReply;
  /** Keyed by path: each file with its digest in the path, and without. */
  readonly files: ReadonlyMap<string, (call: Call) => Reply>;
}

/**
 * @param origin The public origin. The shell allows only scripts and styles of its assets folder.
 * @param hasAssistants False if pages must not ask for assistants, which the service lacks.
 */
export function createConsolePages(origin: string, hasAssistants = false): ConsolePages {
  const { "index.html": shell = "", ...files } = FILES;
  const shown = shell.replaceAll(ASSETS, VERSIONED);
  const text = hasAssistants ? shown.replace("<html ", "<html data-assistants ") : shown;
  // Without a session cookie the page does not ask for the session.
  const signedIn = text.replace("<html ", "<html data-session ");
  const answerShell = (path: string, status = 200) => {
    const known = lazyAsset("index.html", signedIn, () => shellHeaders(origin, path));
    const signInPath = path === "/" ? "" : path;
    const unknown = lazyAsset("index.html", text, () => shellHeaders(origin, signInPath));
    return ({ request: { headers } }: Call) =>
      serve(sendsSession(headers, origin) ? known() : unknown(), headers, status);
  };
  const missing = answerShell("", 404);
  return {
    shell: answerShell,
    shared(shared, { request: { headers } }, status) {
      const isKnown = sendsSession(headers, origin);
      return {
        status,
        body: withShared(isKnown ? signedIn : text, shared),
        headers: {
          ...shellHeaders(origin, isKnown ? "/console/capture" : ""),
          "Content-Type": "text/html; charset=utf-8",
          "Cache-Control": "no-store",
        },
      };
    },
    missing: (call) =>
      call.path.startsWith("/api/") || !prefersHtml(call.request) ? null : missing(call),
    files: new Map<string, (call: Call) => Reply>(
      Object.entries({ ...files, ...PICTURES }).flatMap(([name, content]) => [
        [`${VERSIONED}${name}`, answerFile(name, content, "public, max-age=31536000, immutable")],
        [`${ASSETS}${name}`, answerFile(name, content, NEVER_MIXED)],
      ]),
    ).set(MANIFEST_PATH, answerFile(MANIFEST_PATH, MANIFEST, NEVER_MIXED)),
  };
}

/** So that a page never mixes two releases. */
const NEVER_MIXED = "no-cache";

function answerFile(
  name: string,
  content: AssetContent,
  cached: string,
): (call: Call) => Reply {
  const asset = lazyAsset(name, content, () => ({ "Cache-Control": cached }));
  return ({ request }) => serve(asset(), request.headers);
}

/** Whether a session cookie is sent, which may have ended. */
function sendsSession(headers: Headers, origin: string): boolean {
  const names = (headers.get("Cookie") ?? "").split(";").map((cookie) => cookie.split("=")[0]);
  return names.some((name) => name?.trim() === cookieName(origin));
}

/**
 * Scripts come only from the assets folder: an uploaded file has the same origin and must never
 * run.
 */
function shellHeaders(origin: string, path: string): Readonly<Record<string, string>> {
  const assets = `${origin}${ASSETS}`;
  const links = preloadLinks(path, VERSIONED);
  return {
    "Cache-Control": NEVER_MIXED,
    "Content-Security-Policy": [
      "default-src 'none'",
      `script-src ${assets}`,
      `style-src ${assets}`,
      `img-src ${assets} ${origin}/api/v2/attachments/`,
      `media-src ${origin}/api/v2/attachments/ blob:`,
      `connect-src ${origin}/api/`,
      `manifest-src ${origin}${MANIFEST_PATH}`,
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join("; "),
    // Programs open that page in a popup, which would look closed to them.
    ...(path !== AUTHORIZE && { "Cross-Origin-Opener-Policy": "same-origin" }),
    Vary: "Accept-Encoding, Cookie",
    "X-Robots-Tag": "noindex",
    ...(links !== "" && { Link: links }),
  };
}
