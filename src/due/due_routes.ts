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
  listCursors,
  type PagePosition,
  SIGNED_PAGE_QUERY,
  signedPageOf,
} from "../http/signed_page.ts";
import { component, nullable, objectOf, TIME } from "../validate/json_schema.ts";
import { oneOf, optional, readQuery, stringMatching, timestamp } from "../validate/schema.ts";
import { DUE_KINDS, DUE_SCHEMA, type DuePosition, readableKinds, toDueItem } from "./due.ts";
import { countOverdue, type DueQuery, MAX_DAYS, type OverdueCounts, readDue } from "./due_store.ts";

export interface DueServices {
  readonly database: Database;
  readonly serverSecret: Uint8Array;
}

const STANDARD_DAYS = 7;

/** Kinds separated by commas, each once. */
const kindList = stringMatching("due.kinds", isKindList, {
  type: "string",
  pattern: `^(?:${DUE_KINDS.join("|")})(?:,(?:${DUE_KINDS.join("|")})){0,${DUE_KINDS.length - 1}}$`,
});

const DUE_QUERY = {
  from: optional(timestamp),
  until: optional(timestamp),
  kinds: optional(kindList),
  counts: optional(oneOf("true", "false")),
  ...SIGNED_PAGE_QUERY,
};

const DUE_PAGE = objectOf({
  ...signedPageOf(DUE_SCHEMA).properties,
  counts: component<OverdueCounts>("OverdueCounts", {
    overdue: { type: "integer", minimum: 0 },
    oldest: nullable(TIME),
    more: { type: "boolean" },
  }),
}, ["counts"]);

/** The permission to read SECRET dates of people. */
const SECRETS = "relationship.ledger.secret";

export function createDueEndpoint({ database, serverSecret }: DueServices): Endpoint {
  return pageEndpoint({
    contract: {
      summary: "List due items, earliest first",
      query: DUE_QUERY,
      responses: { 200: { data: DUE_PAGE } },
      errors: [],
    },
    parse(call) {
      const { query, now } = call;
      const { limit = PAGE_LIMIT.standard, cursor, kinds, counts, ...sent } = readQuery(
        DUE_QUERY,
        query,
      );
      const cursors = listCursors(serverSecret, call, {
        from: query.get("from"),
        until: query.get("until"),
        ...(kinds !== undefined && { kinds }),
      });
      return {
        range: { ...readRange(sent, cursors.read(cursor), now), limit },
        kinds: kinds?.split(","),
        isCounted: counts === "true" && cursor === undefined,
        cursors,
      };
    },
    async handle({ parsed: { range, kinds: named, isCounted, cursors }, caller, now }) {
      const withSecrets = caller.permissions.has(SECRETS);
      const kinds = readableKinds(caller).filter((kind) => named?.includes(kind) ?? true);
      const owner = caller.account.accountId;
      const [{ entries, next }, counts] = await database.read(async (sql) => [
        await readDue(sql, owner, { ...range, kinds, withSecrets }),
        isCounted && await countOverdue(sql, owner, kinds, range.moment),
      ]);
      for (const { isSecret, recordId } of entries) {
        if (isSecret) hidesSecret(caller, SECRETS, recordId);
      }
      return ok({
        items: entries.map((entry) => toDueItem(entry, now)),
        nextCursor: next === null ? null : cursors.sign(toPagePosition(next, range.moment)),
        ...(counts && { counts }),
      });
    },
  });
}

function isKindList(text: string): boolean {
  const kinds = text.split(",");
  return new Set(kinds).size === kinds.length &&
    kinds.every((kind) => DUE_KINDS.some((known) => known === kind));
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
