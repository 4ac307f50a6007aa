import { payloadInvalid } from "../errors/service_error.ts";

/** What a request asks for. */
export interface Target {
  /** As a URL has it: resolved, and percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A path that a URL parser hands back as it stands: no dot, no escape, nothing to encode. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9_-]+)+$/;

/** The server puts the Host header before the path: with these in it, it would become a part of that. */
const NO_HOST = /[/\\?#@]/;

/**
 * Reads where requests go. A URL parser is the judge; but it costs as much as the rest of a short
 * request's head, so a plain path behind the origin that it accepted last is taken as it stands.
 *
 * @throws ServiceError `PAYLOAD_INVALID` for an address that is none: its host is whatever the client
 * wrote into its Host header.
 */
export function createTargetReader(): (request: Request) => Target {
  let origin = "";
  return ({ url, headers }) => {
    if (NO_HOST.test(headers.get("Host") ?? "")) throw payloadInvalid(["url.format"]);
    const start = url.indexOf("/", "https://".length);
    const mark = url.indexOf("?", start);
    const path = url.slice(start, mark < 0 ? undefined : mark);
    const isKnown = start > 0 && url.slice(0, start) === origin && !url.includes("#");
    if (isKnown && PLAIN_PATH.test(path)) {
      return { path, query: new URLSearchParams(mark < 0 ? "" : url.slice(mark)) };
    }
    const parsed = URL.parse(url);
    if (parsed === null) throw payloadInvalid(["url.format"]);
    origin = parsed.origin;
    return { path: parsed.pathname, query: parsed.searchParams };
  };
}
