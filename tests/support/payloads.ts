/** Random valid payloads of a module. */

import type { CatalogModule, Field, PolicyContext } from "../../src/catalog/module.ts";
import { MODULE_CODES } from "../../src/catalog/module_codes.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import type { JsonObject, JsonValue } from "../../src/core/json.ts";
import { distinctTexts } from "../../src/validate/text.ts";
import { formatTimestamp } from "../../src/validate/timestamp.ts";
import type { Random } from "./random.ts";

const MILLISECONDS_A_YEAR = 365 * DAY_MS;

export interface PayloadOptions {
  /** Times are within the twenty years before it. */
  readonly now: Date;
  /** Probability of an optional field; default 0.5. */
  readonly optional?: number;
  /** Ids of stored attachments; by default of missing ones. */
  readonly attachmentIds?: readonly string[];
}

/**
 * Valid at creation, with canonical times.
 *
 * Only valid fields for a module outside the shipped catalog, whose rules are unknown here.
 *
 * @throws {RangeError} if the module needs an attachment and the list is empty.
 */
export function randomPayload(
  module: CatalogModule,
  random: Random,
  options: PayloadOptions,
): JsonObject {
  const maker = new PayloadMaker(random, options);
  const payload: JsonObject = {};
  for (const field of module.fields) {
    if (field.required || random.chance(options.optional ?? 0.5)) {
      payload[field.name] = maker.value(field);
    }
  }
  REPAIRS[module.code]?.(payload, maker);
  return payload;
}

/** A creation sets every field. */
export function creationContext(payload: JsonObject, now: Date): PolicyContext {
  return {
    now,
    recordId: "01JD5A0000000000000000RECD",
    set: new Set(Object.keys(payload)),
  };
}

class PayloadMaker {
  readonly random: Random;
  readonly #options: PayloadOptions;

  constructor(random: Random, options: PayloadOptions) {
    this.random = random;
    this.#options = options;
  }

  value(field: Field): JsonValue {
    switch (field.edit) {
      case "text":
        return field.attachment === true ? this.attachment() : this.random.text(1, 40);
      case "textarea":
        return `${this.random.text(1, 120)}\n\t${this.random.text(0, 40)}`;
      case "select":
        return this.random.pick(field.options ?? []);
      case "number":
        return this.number(field);
      case "datetime":
        return this.time();
      case "boolean":
        return this.random.chance(0.5);
      case "tags":
        return this.distinct(5, () => this.random.text(1, 12));
      case "file":
        return this.hasAttachments() ? this.distinct(3, () => this.attachment()) : [];
      case "json":
        return this.json();
    }
  }

  number({ minimum = -1000, maximum = 1000, integer = false }: Field): number {
    const value = minimum + this.random.next() * (maximum - minimum);
    return integer ? this.random.integer(minimum, maximum) : value;
  }

  time(): string {
    const age = this.random.integer(0, 20 * MILLISECONDS_A_YEAR);
    return formatTimestamp(this.#options.now.getTime() - age);
  }

  attachment(): string {
    const { attachmentIds } = this.#options;
    return attachmentIds === undefined ? this.random.ulid() : this.random.pick(attachmentIds);
  }

  hasAttachments(): boolean {
    return this.#options.attachmentIds?.length !== 0;
  }

  distinct(most: number, make: () => string): string[] {
    const count = this.random.integer(0, most);
    return distinctTexts(Array.from({ length: count }, make));
  }

  json(): JsonObject {
    return {
      label: this.random.text(1, 20),
      steps: [this.random.integer(0, 9), this.random.chance(0.5), null],
      nested: { amount: this.random.next() },
    };
  }
}

/** Makes valid fields meet the cross-field rules. */
type Repair = (payload: JsonObject, maker: PayloadMaker) => void;

const REPAIRS: Readonly<Record<string, Repair>> = {
  commitment: (payload) => {
    if (payload.completionStatus !== "COMPLETED") delete payload.completedAt;
  },
  identity: (payload) => order(payload, "startedAt", "endedAt"),
  constitution: (payload, { random }) => {
    order(payload, "effectiveFrom", "supersededAt");
    if (payload.effectiveFrom === payload.supersededAt) delete payload.supersededAt;
    if (payload.entryType === "DEFINITION") payload.definition = random.text(1, 40);
  },
  resource: (payload) => {
    const { available, capacity } = payload;
    if (typeof available !== "number" || typeof capacity !== "number") return;
    payload.available = Math.min(available, capacity);
  },
  decision: (payload, maker) => {
    const items = ["stay", "go", ...maker.distinct(5, () => maker.random.text(5, 20))];
    payload.options = { items };
    if ("chosenOption" in payload) payload.chosenOption = maker.random.pick(items);
    else delete payload.decidedAt;
    order(payload, "decidedAt", "reviewAt");
  },
  health: (payload, { random }) => {
    payload.unit = random.pick(["kg", "bpm", "mmHg", "h", "°C"]);
    if ("experimentId" in payload) payload.experimentId = random.ulid();
  },
  action: (payload, { random }) => {
    if ("parentId" in payload) payload.parentId = random.ulid();
    if (payload.actionType === "VISION") delete payload.parentId;
  },
  routine: (payload) => order(payload, "lastCompletedAt", "nextDueAt"),
  review: (payload) => order(payload, "periodStart", "periodEnd"),
  "ai-agent": (payload) => {
    if (payload.approvalStatus === "PENDING" || payload.approvalStatus === "REJECTED") {
      delete payload.executedActions;
    }
  },
  "personal-model": (payload) => {
    order(payload, "validFrom", "validTo");
    const { evidenceIds, counterEvidenceIds } = payload;
    if (!Array.isArray(evidenceIds) || !Array.isArray(counterEvidenceIds)) return;
    payload.counterEvidenceIds = counterEvidenceIds.filter((id) => !evidenceIds.includes(id));
  },
  interview: (payload, { random }) => {
    if (["ANSWERED", "CONFIRMED"].includes(String(payload.interviewStatus))) {
      payload.answer = random.text(1, 80);
    }
  },
  memory: (payload, maker) => {
    dateByPrecision(payload, "occurredAt", maker);
    if ("occurredAt" in payload) payload.timePrecision ??= "EXACT";
  },
  capture: (payload, maker) => {
    const targets = MODULE_CODES.filter((code) => code !== "capture");
    payload.targetModule = maker.random.pick(targets);
    const isFile = ["IMAGE", "AUDIO", "VIDEO", "FILE"].includes(String(payload.contentType));
    if (!isFile || payload.routeStatus === "INBOX") return;
    if (maker.hasAttachments()) payload.attachmentIds = [maker.attachment()];
    else payload.routeStatus = "INBOX";
  },
  timeline: (payload, maker) => {
    dateByPrecision(payload, "startAt", maker);
    order(payload, "startAt", "endAt");
  },
  knowledge: (payload, { random }) => {
    payload.url = random.pick([
      "https://example.org/a?b=c#d",
      "urn:isbn:9780306406157",
      "doi:10.1000/182",
      "isbn:978-0-306-40615-7",
    ]);
  },
  media: (payload) => {
    if (payload.mediaType !== "AUDIO" && payload.mediaType !== "VIDEO") {
      delete payload.durationSeconds;
    }
  },
  integration: (payload) => {
    const isUnauthorized = ["NOT_AUTHORIZED", "PENDING"].includes(
      String(payload.authorizationStatus),
    );
    if (isUnauthorized && payload.importMode !== "MANUAL") delete payload.lastSyncAt;
  },
  legacy: (payload, maker) => {
    payload.sealedContent = maker.random.text(1, 80);
    payload.releaseCondition = maker.random.text(1, 80);
    if (payload.legacyStatus === "DRILLED") payload.lastDrillAt = maker.time();
  },
  taxonomy: (payload, { random }) => {
    if (payload.kind === "TAG") delete payload.parentId;
    if ("color" in payload) payload.color = random.pick(["#00ff7F", "#123456"]);
  },
  community: (payload, maker) => {
    order(payload, "joinedAt", "leftAt");
    if ("memberIds" in payload) payload.memberIds = maker.distinct(4, () => maker.random.ulid());
  },
  place: (payload) => {
    if (!("latitude" in payload)) delete payload.longitude;
    if (!("longitude" in payload)) delete payload.latitude;
    order(payload, "firstVisitedAt", "lastVisitedAt");
  },
  publication: (payload, maker) => {
    const isRevoked = payload.publicationStatus === "REVOKED";
    if (isRevoked || payload.publicationStatus === "PUBLISHED") payload.publishedAt = maker.time();
    if (isRevoked) payload.revokedAt = maker.time();
    order(payload, "publishedAt", "revokedAt");
  },
};

function order(payload: JsonObject, first: string, last: string): void {
  const { [first]: start, [last]: end } = payload;
  if (typeof start !== "string" || typeof end !== "string" || start <= end) return;
  payload[first] = end;
  payload[last] = start;
}

function dateByPrecision(payload: JsonObject, field: string, maker: PayloadMaker): void {
  switch (payload.timePrecision) {
    case "EXACT":
    case "DAY":
      payload[field] = maker.time();
      break;
    case "UNKNOWN":
      delete payload[field];
      break;
    case "LIFE_PERIOD":
      payload.timeText = maker.random.text(1, 40);
  }
}
