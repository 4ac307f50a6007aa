/** `GET /api/v2/insight/routines`: routines, and how often they were completed each day. */

import { addDays, localDay, mondayOf } from "../core/days.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { listCursors, SIGNED_PAGE_QUERY, signedPageOf } from "../http/signed_page.ts";
import {
  readLiveByTitle,
  readPosition,
  type RecordRow,
  requireReadableModule,
  toSignedPage,
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
import { type CompletionList, readCompletions } from "./completions.ts";
import type { CountServices } from "./insight_services.ts";
import { DAY_JSON, ownDay, startOfDay, ZONE } from "./local_days.ts";
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
    parse(call) {
      const module = requireReadableModule(catalog, "routine", call.caller);
      const { zone, limit = STANDARD_LIMIT, cursor } = readQuery(ROUTINES_QUERY, call.query);
      const cursors = listCursors(serverSecret, call, { zone });
      return { module, zone, limit, after: readPosition(cursors, cursor), cursors };
    },
    async handle({ parsed: { module, zone, limit, after, cursors }, caller, now }) {
      const { permissions, account: { accountId: owner } } = caller;
      const window = windowAt(zone, now);
      return await counts.run(caller, async () => {
        const walked = await database.read((sql) =>
          readLiveByTitle(sql, { module, owner, permissions }, after, limit)
        );
        const lists = await readCompletions(database, new ExaminedRows(), {
          owner,
          recordIds: walked.rows.map(({ record_id }) => record_id),
          since: new Date(startOfDay(zone, window.from)),
          end: "newest",
        });
        const show = (row: RecordRow) => showState(row, lists.get(row.record_id) ?? NONE, window);
        return ok({ ...window, ...toSignedPage(cursors, walked, show) });
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

/** The times are in UTC. */
interface RoutineFields extends Pick<RoutineState, "intervalDays" | "active"> {
  readonly lastCompletedAt?: string;
  readonly nextDueAt?: string;
}

function showState(
  row: RecordRow,
  { completions, isComplete }: CompletionList,
  { from, until, zone }: Window,
): RoutineState {
  const days = completions.map(({ time, clock }) => ownDay(zone, Date.parse(time), clock))
    .filter((day) => day >= from && day < until);
  const fields: RoutineFields = JSON.parse(row.payload);
  return {
    recordId: row.record_id,
    title: row.title,
    intervalDays: fields.intervalDays,
    active: fields.active,
    lastCompletedAt: fields.lastCompletedAt ?? null,
    nextDueAt: fields.nextDueAt ?? null,
    complete: isComplete,
    days: [...Map.groupBy(days.toSorted(), (day) => day)]
      .map(([day, all]) => ({ day, count: all.length })),
  };
}
