/** The only route that shows part of a profile to anyone. */

import { sha256Hex } from "../../core/digest.ts";
import type { Database } from "../../database/database.ts";
import { accountMoved, ServiceError } from "../../errors/service_error.ts";
import { namesEntityTag } from "../../http/entity_tag.ts";
import { ok } from "../../http/reply.ts";
import type { PublicEndpoint } from "../../http/route.ts";
import { refuseQuery } from "../../validate/schema.ts";
import { isSlug, PUBLIC_VIEW_SCHEMA, showView } from "./publication.ts";
import { findView } from "./publication_store.ts";

/** Cached copies are revalidated each time, so that a revocation takes effect immediately. */
const HEADERS = { "Cache-Control": "no-cache", "X-Robots-Tag": "noindex" } as const;

/**
 * `/public/{slug}`: 410 with the new address if the owner has moved, and 404 without a reason for
 * everything else that is not public now.
 */
export function createPublicViewEndpoint(
  { database }: { readonly database: Database },
): PublicEndpoint {
  const named = ["ETag", "X-Robots-Tag"] as const;
  return {
    contract: {
      summary: "Read a public profile",
      headers: ["If-None-Match"],
      responses: {
        200: { data: PUBLIC_VIEW_SCHEMA, headers: named },
        304: { headers: named },
      },
      errors: ["ACCOUNT_MOVED", "RECORD_NOT_FOUND"],
    },
    body: "none",
    parse: (call) => refuseQuery(call.query),
    async handle({ params: { slug = "" }, request }) {
      const [row] = isSlug(slug) ? await database.read((sql) => findView(sql, slug)) : [];
      if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
      if (row.moved_to !== null) throw accountMoved(row.moved_to);
      const view = showView(row);
      // A digest: the revision would reveal how often the publication was changed.
      const ETag = `"${sha256Hex(JSON.stringify(view)).slice(0, 32)}"`;
      const headers = { ...HEADERS, ETag };
      const isKnown = namesEntityTag(request.headers.get("If-None-Match"), ETag);
      return isKnown ? { status: 304, headers } : ok(view, headers);
    },
  };
}
