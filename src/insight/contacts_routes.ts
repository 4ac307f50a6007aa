/** `GET /api/v2/insight/contacts`: people in the order of their next contacts. */

import { daysBetween, localDay } from "../core/days.ts";
import { type NextContact, readNextContacts } from "../families/relationship/port.ts";
import { PAGE_LIMIT, toWalkedPage } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { listCursors, SIGNED_PAGE_QUERY, signedPageOf } from "../http/signed_page.ts";
import { component, nullable, TEXT, TIME, ULID } from "../validate/json_schema.ts";
import { parseClocks } from "../validate/local_time.ts";
import { readQuery } from "../validate/schema.ts";
import type { InsightServices } from "./insight_services.ts";
import { DAY_JSON, ownDay, ZONE } from "./local_days.ts";

const CONTACTS_QUERY = { zone: ZONE, ...SIGNED_PAGE_QUERY };

interface ContactState {
  readonly personId: string;
  readonly personName: string;
  readonly desiredContactIntervalDays: number;
  readonly lastContactAt: string | null;
  /** Days since the last contact, or else since the person was recorded. */
  readonly daysSince: number;
  readonly nextDay: string;
  /** Negative before the next day. */
  readonly daysOver: number;
}

const CONTACT_STATE = component<ContactState>("ContactState", {
  personId: ULID,
  personName: TEXT,
  desiredContactIntervalDays: { type: "integer", minimum: 1 },
  lastContactAt: nullable(TIME),
  daysSince: { type: "integer" },
  nextDay: DAY_JSON,
  daysOver: { type: "integer" },
});

export function createContactsEndpoint({ database, serverSecret }: InsightServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List people by the day of their next contact",
      query: CONTACTS_QUERY,
      responses: { 200: { data: signedPageOf(CONTACT_STATE) } },
      errors: [],
    },
    body: "none",
    parse(call) {
      const { zone, limit = PAGE_LIMIT.standard, cursor } = readQuery(CONTACTS_QUERY, call.query);
      const cursors = listCursors(serverSecret, call, { zone });
      return { zone, page: { limit, after: cursors.read(cursor)?.data ?? null }, cursors };
    },
    async handle({ parsed: { zone, page, cursors }, caller, now }) {
      const owner = caller.account.accountId;
      const walked = await database.read((sql) => readNextContacts(sql, owner, page, now));
      const today = localDay(zone, now.getTime());
      const { items, nextCursor } = toWalkedPage(
        walked,
        (person) => showState(person, zone, today),
        ({ place }) => place,
      );
      return ok({ items, nextCursor: nextCursor && cursors.sign(positionOf(nextCursor)) });
    },
  });
}

function showState(person: NextContact, zone: string, today: string): ContactState {
  const { last_contact_at, created_at, clocks, due } = person;
  const last = last_contact_at === null
    ? localDay(zone, created_at.getTime())
    : ownDay(zone, last_contact_at.getTime(), parseClocks(clocks).lastContactAt ?? null);
  const nextDay = localDay(zone, due.getTime());
  return {
    personId: person.person_id,
    personName: person.person_name,
    desiredContactIntervalDays: person.days,
    lastContactAt: last_contact_at?.toISOString() ?? null,
    daysSince: daysBetween(last, today),
    nextDay,
    daysOver: daysBetween(nextDay, today),
  };
}

function positionOf(place: string): { readonly after: string; readonly data: string } {
  return { after: JSON.parse(place)[1], data: place };
}
