/** Health checks and monitoring (decisions §17). They reveal nothing of anybody's data. */

import { bearerSecret } from "../../access/credentials.ts";
import type { PlaceBytes } from "../../attachments/place_bytes.ts";
import type { DiskRoom } from "../../command/write_limits.ts";
import type { Secret } from "../config/secrets.ts";
import type { Clock } from "../../core/clock.ts";
import { constantTimeEqual, sha256 } from "../../core/digest.ts";
import type { Log } from "../../core/log.ts";
import type { Database } from "../../database/database.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { ok, type TextReply } from "../../http/reply.ts";
import type { Endpoint, PublicEndpoint } from "../../http/route.ts";
import type { InFlightRequests } from "../../http/in_flight_requests.ts";
import { COUNT, enumOf, nullable, objectOf, TEXT } from "../../validate/json_schema.ts";
import { refuseQuery } from "../../validate/schema.ts";
import type { Gauge } from "../../core/prometheus_text.ts";
import { RELEASE } from "../../database/release.ts";
import type { Metrics } from "./metrics.ts";
import {
  backupGauges,
  type BackupStatusServices,
  createBackupStatusEndpoint,
} from "../backup/schedule/backup_status.ts";
import { readZoneData, ZONE_SOURCES } from "../config/zone_data.ts";
import { Readiness } from "./readiness.ts";

interface OperationsServices extends BackupStatusServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly inFlight: InFlightRequests;
  readonly log: Pick<Log, "linesLost">;
  readonly metrics: Metrics;
  /** Measures the disk of `DATA_DIR`. */
  readonly room: DiskRoom;
  /** As `ObjectStore.readLost`. */
  readonly readLost: () => Promise<number | null>;
  /** As `createPlaceBytesReader`. */
  readonly readPlaceBytes: () => Promise<PlaceBytes | null>;
  /** Protects the metrics; null for no metrics. */
  readonly metricsToken: Secret | null;
}

export interface OperationsEndpoints {
  readonly version: PublicEndpoint;
  readonly health: PublicEndpoint;
  readonly readiness: PublicEndpoint;
  readonly metrics: PublicEndpoint | null;
  readonly backup: Endpoint;
}

export function createOperationsEndpoints(services: OperationsServices): OperationsEndpoints {
  const { metricsToken } = services;
  return {
    version: versionEndpoint(),
    health: healthEndpoint(),
    readiness: readinessEndpoint(new Readiness(services)),
    metrics: metricsToken === null ? null : metricsEndpoint(services, metricsToken),
    backup: createBackupStatusEndpoint(services),
  };
}

const PLAIN_TEXT = { mediaType: "text/plain", schema: { type: "string" } } as const;

const ZONE_DATA = objectOf({ source: enumOf(ZONE_SOURCES), release: nullable(TEXT) });
const RELEASE_SCHEMA = {
  component: "Release",
  ...objectOf({ version: TEXT, schema: COUNT, zoneData: ZONE_DATA }),
};

function versionEndpoint(): PublicEndpoint {
  const zoneData = readZoneData();
  return {
    contract: {
      summary: "Read the version of the service, of its schema and of its time zones",
      responses: { 200: { data: RELEASE_SCHEMA } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    handle: () => Promise.resolve(ok({ ...RELEASE, zoneData })),
  };
}

function healthEndpoint(): PublicEndpoint {
  return {
    contract: {
      summary: "Check that the process responds",
      responses: { 200: { content: PLAIN_TEXT } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    handle: () => Promise.resolve(text("ok\n")),
  };
}

function readinessEndpoint(readiness: Readiness): PublicEndpoint {
  return {
    contract: {
      summary: "Check that the service is ready",
      responses: { 200: { content: PLAIN_TEXT } },
      errors: ["HTTP_503"],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle() {
      if (!await readiness.isReady()) throw new ServiceError("HTTP_503");
      return text("ready\n");
    },
  };
}

function metricsEndpoint(services: OperationsServices, token: Secret): PublicEndpoint {
  const digest = sha256(token.reveal());
  return {
    contract: {
      summary: "Read the service's metrics, in Prometheus format",
      responses: { 200: { content: PLAIN_TEXT } },
      errors: ["AUTH_REQUIRED", "HTTP_429"],
    },
    body: "none",
    parse({ request, query }) {
      const sent = bearerSecret(request.headers);
      if (sent === null || !constantTimeEqual(sha256(sent), digest)) {
        throw new ServiceError("AUTH_REQUIRED");
      }
      refuseQuery(query);
    },
    async handle() {
      const { metrics, log: { linesLost } } = services;
      const gauges = [
        ...gaugesOf(services),
        ...lostGauges(await services.readLost()),
        ...placeGauges(await services.readPlaceBytes()),
      ];
      return text(metrics.render(gauges, linesLost), "; version=0.0.4");
    },
  };
}

/** Empty before the first check or backup. */
function lostGauges(lost: number | null): Gauge[] {
  if (lost === null) return [];
  const help = "Attachments whose bytes the newest check or backup found missing or damaged.";
  return [gauge("attachments_lost", help, { "": lost })];
}

/** Empty if the database does not respond. */
function placeGauges(bytes: PlaceBytes | null): Gauge[] {
  if (bytes === null) return [];
  return [
    gauge("attachments_bytes", "Bytes of attachments, equal files of an account once.", {
      'place="files"': bytes.files,
      'place="database"': bytes.database,
    }),
  ];
}

function gaugesOf(
  { database, inFlight, room: { freeBytes }, scheduledBackups, clock }: OperationsServices,
): Gauge[] {
  const { size, busy, waiting } = database.connections();
  return [
    gauge("http_requests_in_flight", "Requests running.", { "": inFlight.count }),
    gauge("database_connections", "Connections to the database.", {
      'state="busy"': busy,
      'state="idle"': size - busy,
    }),
    gauge("database_connections_waiting", "Waiting for a connection.", { "": waiting }),
    gauge("process_resident_memory_bytes", "Resident memory.", { "": Deno.memoryUsage().rss }),
    ...(freeBytes === null
      ? []
      : [gauge("data_dir_free_bytes", "Free bytes of the disk of DATA_DIR.", { "": freeBytes })]),
    gauge("process_start_time_seconds", "Start of the process since the epoch.", {
      "": performance.timeOrigin / 1000,
    }),
    gauge("build_info", "Versions that this process is made of.", {
      [`version="${RELEASE.version}",deno="${Deno.version.deno}",schema="${RELEASE.schema}"`]: 1,
    }),
    ...backupGauges(scheduledBackups, clock),
  ];
}

function gauge(name: string, help: string, values: Gauge["values"]): Gauge {
  return { name, help, values };
}

function text(body: string, parameters = ""): TextReply {
  const headers = { "Content-Type": `text/plain${parameters}; charset=utf-8` };
  return { status: 200, body, headers };
}
