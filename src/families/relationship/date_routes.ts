/** Birthdays, anniversaries and days of death, by day. */

import { DAY_MS } from "../../core/clock.ts";
import { pageEndpoint } from "../../http/define_endpoint.ts";
import { PAGE_LIMIT } from "../../http/page.ts";
import { ok } from "../../http/reply.ts";
import type { Endpoint } from "../../http/route.ts";
import { listCursors, SIGNED_PAGE_QUERY, signedPageOf } from "../../http/signed_page.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  TEXT,
  ULID,
} from "../../validate/json_schema.ts";
import { readQuery, stringMatching } from "../../validate/schema.ts";
import { type DateRow, findDates } from "./date_walk.ts";
import { DATE_WORDS, parseDetailDate } from "./detail_value.ts";
import type { RelationshipServices } from "./person_store.ts";
import { hides, mayReadSecrets } from "./privacy.ts";

const MAX_DAYS = 800;

const DAY: JsonSchema = { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" };

const day = stringMatching(
  "field.date",
  (text) => /^\d{4}-/.test(text) && parseDetailDate(text) !== null,
  DAY,
);

const DATES_QUERY = { from: day, to: day, ...SIGNED_PAGE_QUERY };

interface PersonDate {
  readonly date: string;
  readonly what: DateRow["what"];
  readonly label: string | null;
  readonly personId: string;
  readonly personName: string;
  readonly detailId: string;
  readonly years: number | null;
}

const DATE_SCHEMA: JsonSchema = component<PersonDate>("PersonDate", {
  date: DAY,
  what: enumOf(DATE_WORDS),
  label: nullable(TEXT),
  personId: ULID,
  personName: TEXT,
  detailId: ULID,
  years: nullable({ type: "integer", minimum: 0 }),
});

export function createDatesEndpoint({ database, serverSecret }: RelationshipServices): Endpoint {
  return pageEndpoint({
    contract: {
      summary: "List the dates of people that return, by day",
      query: DATES_QUERY,
      responses: { 200: { data: signedPageOf(DATE_SCHEMA) } },
      errors: [],
    },
    parse(call) {
      const { from, to, limit = PAGE_LIMIT.standard, cursor } = readQuery(
        DATES_QUERY,
        call.query,
      );
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
      if (days < 0) throw payloadInvalid(["range.order"], ["from", "to"]);
      if (days > MAX_DAYS) throw payloadInvalid(["range.length"], ["from", "to"]);
      const cursors = listCursors(serverSecret, call, { from, to });
      const place = cursors.read(cursor);
      // A page after another begins on the day of that one's last date.
      const range = {
        from: new Date(place?.data ?? from),
        until: new Date(to),
        after: place && { recordId: "", sourceId: place.after },
      };
      return { range, limit, cursors };
    },
    async handle({ parsed: { range, limit, cursors }, caller }) {
      const part = { ...range, limit: limit + 1, withSecrets: mayReadSecrets(caller) };
      const { rows, end } = await database.read((sql) =>
        findDates(sql, caller.account.accountId, part, "DETAIL")
      );
      const shown = rows.slice(0, limit);
      for (const row of shown) hides(row.is_secret, caller, row.record_id);
      const last = (rows.length > limit ? shown.at(-1) : null) ?? end;
      const nextCursor = last === null
        ? null
        : cursors.sign({ after: last.source_id ?? "", data: String(last.due) });
      return ok({ items: shown.map(showDate), nextCursor });
    },
  });
}

function showDate(
  { due, what, label, record_id, title, source_id, years }: DateRow,
): PersonDate {
  return {
    date: due,
    what,
    label,
    personId: record_id,
    personName: title,
    detailId: source_id,
    years,
  };
}
