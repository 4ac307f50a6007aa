import type { JsonObject } from "../../src/core/json.ts";
import type { LoadProcess, RequestTemplate } from "./load.ts";
import type { ServiceProcess } from "./service_process.ts";

const SEEDED_RECORDS = 10_000;
/** The deep page begins here. */
const DEEP_OFFSET = 9_000;
const PAGE_ITEMS = 50;

const SEEDED_PATH = "/api/v2/records/knowledge";
/** A separate module, outside the measured lists. */
export const CREATED_PATH = "/api/v2/records/timeline";

export const TITLE = "Reading notes of the week, {serial}";
export const SUMMARY =
  "A short summary of the record, which says in a sentence or two what it is about and why it was kept.";
/** About 450 bytes. */
const KNOWLEDGE: JsonObject = {
  sourceType: "ARTICLE",
  url: "https://example.org/articles/2026/11/what-a-river-keeps?from=weekly",
  sourceTitle: "What a river keeps",
  author: "A. Writer",
  publishedAt: "2026-11-01T08:00:00.000Z",
  annotation:
    "Walked along the river in the morning, then read two chapters and wrote down what I want to " +
    "remember about them for next week, including the names and the two places on the old map.",
  readingStatus: "READ",
};
export const TIMELINE: JsonObject = {
  eventType: "MILESTONE",
  eventTitle: "The first walk along the whole river",
  eventDescription:
    "Walked along the river in the morning, then read two chapters and wrote down what I want to " +
    "remember about them for next week, including the names and the two places on the old map. " +
    "In the evening we sat at the harbour and went through all of it once more.",
  startAt: "2026-11-01T08:00:00.000Z",
  timePrecision: "DAY",
  location: "12 Harbour Street, Upper Floor, Reading Room",
};
/** JSON text. */
export const PAYLOAD: string = JSON.stringify(TIMELINE);

/** The operations in table order. */
type OperationName =
  | "create"
  | "replay"
  | "get"
  | "list"
  | "first-page"
  | "deep-page"
  | "patch";

export type Operations = Readonly<Record<OperationName, RequestTemplate>>;

interface Prepared {
  readonly operations: Operations;
  /** As the service shows it. */
  readonly example: unknown;
}

export async function prepareOperations(
  service: ServiceProcess,
  load: LoadProcess,
): Promise<Prepared> {
  const run = crypto.randomUUID();
  await seed(service, load, run);
  const ids = await idsOf(service);
  const replay = creation(service, CREATED_PATH, TIMELINE, `${run}-replayed`);
  await load.run({ port: service.port, connections: 1, template: replay, requests: 1 });
  const read = { method: "GET", headers: service.headers, status: 200 } as const;
  const page = `${SEEDED_PATH}?limit=${PAGE_ITEMS}`;
  return {
    example: await service.call("GET", `${SEEDED_PATH}/${ids[0]}`),
    operations: {
      create: creation(service, CREATED_PATH, TIMELINE, `${run}-{serial}`),
      replay: { ...replay, head: "\r\nidempotency-replayed: true\r\n" },
      get: { ...read, path: `${SEEDED_PATH}/{value}`, values: ids },
      // Any full page.
      list: { ...read, path: `${page}&cursor={value}`, values: ids.slice(0, -2 * PAGE_ITEMS) },
      "first-page": { ...read, path: page },
      "deep-page": { ...read, path: `${page}&cursor=${ids[DEEP_OFFSET - 1]}` },
      patch: {
        ...read,
        method: "PATCH",
        path: `${SEEDED_PATH}/{value}`,
        values: ids,
        body: JSON.stringify({ title: TITLE }),
      },
    },
  };
}

function creation(
  { headers }: ServiceProcess,
  path: string,
  payload: JsonObject,
  key: string,
): RequestTemplate {
  // A replay repeats the body: the title must not vary.
  const title = key.includes("{serial}") ? TITLE : TITLE.replace("{serial}", "replayed");
  return {
    method: "POST",
    path,
    headers: { ...headers, "Idempotency-Key": key },
    body: JSON.stringify({ title, summary: SUMMARY, payload }),
    status: 201,
  };
}

async function seed(service: ServiceProcess, load: LoadProcess, run: string): Promise<void> {
  const { errors, firstError } = await load.run({
    port: service.port,
    connections: 16,
    template: creation(service, SEEDED_PATH, KNOWLEDGE, `${run}-seed-{serial}`),
    requests: SEEDED_RECORDS,
  });
  if (errors > 0) throw new Error(`Seeding failed: ${firstError}`);
}

/** Lists ids in list order, newest first. */
async function idsOf(service: ServiceProcess): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page = await service.call("GET", `${SEEDED_PATH}?limit=100${after}`);
    for (const { recordId } of page.items) ids.push(recordId);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return ids;
}
