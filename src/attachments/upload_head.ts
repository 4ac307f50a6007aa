import { Buffer } from "node:buffer";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { string, Violations } from "../validate/schema.ts";
import { MAX_ATTACHMENT_BYTES } from "./attachment.ts";

export interface UploadHead {
  readonly mediaType: string;
  readonly filename: string;
  readonly expectedSha256: string | null;
}

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}(\s*;[\x20-\x7e]*)?$/i;
const filenameSchema = string({ maximum: 255 });

/** Direction marks change how a name looks: U+202E turns `exe.txt` around. */
const DIRECTION_MARK = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
const PATH_NAME = /[/\\]|^\.\.?$/;

/** Matches the percent-encoded header of every accepted name. */
export const SENT_FILENAME = [
  "^(?!(?:\\.|%2[Ee]){1,2}$)(?!.*(?:[/\\\\]|%2[Ff]|%5[Cc]))",
  "(?!.*%(?:[Dd]8%9[Cc]|[Ee]2%(?:80%(?:8[EeFf]|[Aa][A-Ea-e])|81%[Aa][6-9])))[ -~]+$",
].join("");

/**
 * @throws ServiceError `HTTP_415` without a media type, `HTTP_413` if the announced length is
 *   already too large, `PAYLOAD_INVALID` for a missing or malformed name or digest.
 */
export function readUploadHead(headers: Headers): UploadHead {
  const mediaType = headers.get("Content-Type") ?? "";
  if (!isMediaType(mediaType)) throw new ServiceError("HTTP_415");
  if (Number(headers.get("Content-Length")) > MAX_ATTACHMENT_BYTES) {
    throw new ServiceError("HTTP_413", { details: { limit: MAX_ATTACHMENT_BYTES } });
  }
  return {
    mediaType,
    filename: readFilename(headers.get("X-Filename")),
    expectedSha256: readDigest(headers.get("Content-Digest")),
  };
}

function readFilename(header: string | null): string {
  if (header === null) throw payloadInvalid(["filename.required"]);
  const violations = new Violations();
  const filename = decodePercent(header);
  checkFilename(filename, violations);
  violations.throwIfAny();
  return filename;
}

function checkFilename(filename: string, violations: Violations): void {
  filenameSchema.check(filename, "filename", violations);
  if (DIRECTION_MARK.test(filename)) violations.add("filename.direction_mark", "filename");
  if (PATH_NAME.test(filename)) violations.add("filename.path", "filename");
}

export function isFilename(filename: string): boolean {
  const violations = new Violations();
  checkFilename(filename, violations);
  return violations.isEmpty;
}

export function isMediaType(mediaType: string): boolean {
  return mediaType.length <= 255 && MEDIA_TYPE.test(mediaType);
}

/** Headers must be ASCII. */
function decodePercent(text: string): string {
  if (!/^[\x20-\x7e]*$/.test(text)) throw payloadInvalid(["filename.encoding"]);
  try {
    return decodeURIComponent(text);
  } catch {
    throw payloadInvalid(["filename.encoding"]);
  }
}

/**
 * Parses the digest (RFC 9530). A header without SHA-256 is rejected, because it asks for an
 * unsupported check.
 */
function readDigest(header: string | null): string | null {
  if (header === null) return null;
  const digest = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):\s*(?:,|$)/.exec(header)?.[1];
  if (digest === undefined) throw payloadInvalid(["content_digest.format"]);
  return Buffer.from(digest, "base64").toString("hex");
}
