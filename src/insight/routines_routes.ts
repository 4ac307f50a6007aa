/** `GET /api/v2/insight/routines`: routines, and how often they were completed each day. */

import { toWalkedPage } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import {
  type PagePosition,
  SIGNED_PAGE_QUERY,
  SignedCursors,
  signedPageOf,
} from "../http/signed_page.ts";
import {
  parsePosition,
  readRoutines,
  requireReadableModule,
  type RoutineRow,
} from "../records/port.ts";
import {
  component,
  COUNT,
  listOf,
  nullable,
  objectOf,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import { readQuery } from "../validate/schema.ts";
import { mondayOf } from "./calendar_units.ts";
import { type CompletionList, readCompletions } from "./completions.ts";
import type { CountServices } from "./insight_services.ts";
import { addDays, DAY_JSON, localDay, ownDay, startOfDay, ZONE } from "./local_days.ts";
import { ExaminedRows } from "./pieces.ts";

const ROUTINES_QUERY = { zone: ZONE, ...SIGNED_PAGE_QUERY };

const STANDARD_LIMIT = 20;

/** The weeks of the window before the present one. */
const WEEKS_BEFORE = 11;

interface RoutineState {
  readonly recordId: string;
  readonly title: string;
  readonly intervalDays: number;
  readonly active: boolean;
  readonly lastCompletedAt: string | null;
  readonly nextDueAt: string | null;
  /** False if the routine has revisions in the window that were not read. */
  readonly complete: boolean;
  readonly days: readonly DayCount[];
}

interface DayCount {
  readonly day: string;
  readonly count: number;
}

const ROUTINE_STATE = component<RoutineState>("RoutineState", {
  recordId: ULID,
  title: TEXT,
  intervalDays: { type: "integer", minimum: 1 },
  active: { type: "boolean" },
  lastCompletedAt: nullable(TIME),
  nextDueAt: nullable(TIME),
  complete: { type: "boolean" },
  days: listOf(objectOf({ day: DAY_JSON, count: COUNT })),
});

/** Days of a zone; half-open. */
interface Window {
  readonly from: string;
  readonly until: string;
  readonly zone: string;
}

export function createRoutinesEndpoint(
  { database, catalog, counts, serverSecret }: CountServices,
): Endpoint {
  return endpoint({
    contract: {
      summary: "List routines by title, with their completions of twelve weeks by day",
      query: ROUTINES_QUERY,
      responses: {
        200: {
          data: objectOf({
            from: DAY_JSON,
            until: DAY_JSON,
            zone: TEXT,
            ...signedPageOf(ROUTINE_STATE).properties,
          }),
        },
      },
      errors: [],
    },
    body: "none",
    parse({ query, operation, caller, now }) {
      requireReadableModule(catalog, "routine", caller);
      const { zone, limit = STANDARD_LIMIT, cursor } = readQuery(ROUTINES_QUERY, query);
      const binding = { list: operation, owner: caller.account.accountId, zone };
      const cursors = new SignedCursors(serverSecret, binding, { now, lifetimeMs: null });
      return { zone, page: { limit, after: cursors.read(cursor)?.data ?? null }, cursors };
    },
    async handle({ parsed: { zone, page, cursors }, caller, now }) {
      const { permissions, account: { accountId: owner } } = caller;
      const window = windowAt(zone, now);
      return await counts.run(caller, async () => {
        const walked = await database.read((sql) =>
          readRoutines(sql, { owner, permissions, ...page })
        );
        const lists = await readCompletions(database, new ExaminedRows(), {
          owner,
          recordIds: walked.rows.map(({ record_id }) => record_id),
          since: new Date(startOfDay(zone, window.from)),
          end: "newest",
        });
        const { items, nextCursor } = toWalkedPage(
          walked,
          (row) => showState(row, lists.get(row.record_id) ?? NONE, window),
          ({ position }) => position,
        );
        return ok({
          ...window,
          items,
          nextCursor: nextCursor && cursors.sign(pagePosition(nextCursor)),
        });
      });
    },
  });
}

/** From a Monday on, with today. */
function windowAt(zone: string, now: Date): Window {
  const today = localDay(zone, now.getTime());
  return { from: addDays(mondayOf(today), -7 * WEEKS_BEFORE), until: addDays(today, 1), zone };
}

const NONE: CompletionList = { completions: [], isComplete: true };

function showState(
  row: RoutineRow,
  { completions, isComplete }: CompletionList,
  { from, until, zone }: Window,
): RoutineState {
  const days = completions.map(({ time, clock }) => ownDay(zone, Date.parse(time), clock))
    .filter((day) => day >= from && day < until);
  return {
    recordId: row.record_id,
    title: row.title,
    intervalDays: row.interval_days,
    active: row.active,
    lastCompletedAt: row.last_completed_at,
    nextDueAt: row.next_due_at,
    complete: isComplete,
    days: [...Map.groupBy(days.toSorted(), (day) => day)]
      .map(([day, all]) => ({ day, count: all.length })),
  };
}

function pagePosition(position: string): PagePosition {
  return { after: parsePosition(position)[2], data: position };
}
