/** `GET /api/v2/due`: due items, earliest first. */

import { hidesSecret } from "../access/identity.ts";
import { DAY_MS } from "../core/clock.ts";
import type { Database } from "../database/database.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { pageEndpoint } from "../http/define_endpoint.ts";
import { PAGE_LIMIT } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import type { Endpoint } from "../http/route.ts";
import {
  type PagePosition,
  SIGNED_PAGE_QUERY,
  SignedCursors,
  signedPageOf,
} from "../http/signed_page.ts";
import { optional, readQuery, timestamp } from "../validate/schema.ts";
import { DUE_SCHEMA, type DuePosition, readableKinds, toDueItem } from "./due.ts";
import { type DueQuery, MAX_DAYS, readDue } from "./due_store.ts";

export interface DueServices {
  readonly database: Database;
  readonly serverSecret: Uint8Array;
}

const STANDARD_DAYS = 7;

const DUE_QUERY = {
  from: optional(timestamp),
  until: optional(timestamp),
  ...SIGNED_PAGE_QUERY,
};

/** The permission to read SECRET dates of people. */
const SECRETS = "relationship.ledger.secret";

export function createDueEndpoint({ database, serverSecret }: DueServices): Endpoint {
  return pageEndpoint({
    contract: {
      summary: "List due items, earliest first",
      query: DUE_QUERY,
      responses: { 200: { data: signedPageOf(DUE_SCHEMA) } },
      errors: [],
    },
    parse({ query, operation, caller, now }) {
      const { limit = PAGE_LIMIT.standard, cursor, ...sent } = readQuery(DUE_QUERY, query);
      const binding = {
        list: operation,
        owner: caller.account.accountId,
        from: query.get("from"),
        until: query.get("until"),
      };
      const cursors = new SignedCursors(serverSecret, binding, { now, lifetimeMs: null });
      return {
        range: { ...readRange(sent, cursors.read(cursor), now), limit },
        cursors,
      };
    },
    async handle({ parsed: { range, cursors }, caller, now }) {
      const withSecrets = caller.permissions.has(SECRETS);
      const kinds = readableKinds(caller);
      const { entries, next } = await database.read((sql) =>
        readDue(sql, caller.account.accountId, { ...range, kinds, withSecrets })
      );
      for (const { isSecret, recordId } of entries) {
        if (isSecret) hidesSecret(caller, SECRETS, recordId);
      }
      return ok({
        items: entries.map((entry) => toDueItem(entry, now)),
        nextCursor: next === null ? null : cursors.sign(toPagePosition(next, range.moment)),
      });
    },
  });
}

/**
 * Returns the range of a list, and the start of the page.
 *
 * @throws ServiceError `PAYLOAD_INVALID` for a range that is empty, or too far in the future.
 */
export function readRange(
  sent: { readonly from?: Date; readonly until?: Date },
  position: PagePosition | null,
  now: Date,
): Pick<DueQuery, "from" | "until" | "moment" | "after"> {
  const { after, moment } = readDuePosition(position, now);
  const from = sent.from ?? null;
  const until = sent.until ?? new Date(moment.getTime() + STANDARD_DAYS * DAY_MS);
  assertRange(from, until, moment);
  return { from, until, moment, after };
}

/** @throws ServiceError `PAYLOAD_INVALID` for a range that is empty, or too far in the future. */
function assertRange(from: Date | null, until: Date, moment: Date): void {
  const isTooFar = until.getTime() > moment.getTime() + MAX_DAYS * DAY_MS;
  if (isTooFar || (from !== null && from >= until)) {
    throw payloadInvalid(["due.range"], ["from", "until"]);
  }
}

/**
 * Returns the position of a cursor. It includes the moment of the first page, so that all pages
 * have the same range.
 */
export function toPagePosition(
  { instant, kind, recordId, sourceId }: DuePosition,
  moment: Date,
): PagePosition {
  return { after: recordId, data: JSON.stringify([instant, kind, sourceId, moment.getTime()]) };
}

function readDuePosition(
  position: PagePosition | null,
  now: Date,
): { readonly after: DuePosition | null; readonly moment: Date } {
  if (position === null) return { after: null, moment: now };
  const [instant, kind, sourceId, moment] = JSON.parse(position.data ?? "");
  const after = { instant, kind, sourceId, recordId: position.after };
  return { after, moment: new Date(moment) };
}
