import { newId } from "../../../src/core/ids.ts";
import { entryEndpoints } from "../../../src/kit/entry.ts";
import { fieldsBody } from "../../../src/kit/fields.ts";
import { listBelowEndpoint } from "../../../src/kit/list_routes.ts";
import { nextRevision } from "../../../src/kit/root.ts";
import type { FamilyServices } from "../../../src/kit/write.ts";
import {
  archiveEndpoints,
  changeEndpoint,
  createBelowEndpoint,
  createEndpoint,
  detailEndpoint,
} from "../../../src/kit/write_routes.ts";
import type { Endpoint } from "../../../src/http/route.ts";
import { integer, optional, revision, string } from "../../../src/validate/schema.ts";
import { ALMANAC_FIELDS, ALMANACS, decideAlmanac, ONE_ALMANAC } from "./almanac.ts";
import { BED_FIELDS, BED_REVISIONS, BEDS, countBeds, decideBed } from "./bed.ts";
import { decideGarden, GARDEN_FIELDS, GARDENS } from "./garden.ts";
import { WATERINGS, writeWatering } from "./watering.ts";

export function createGardenEndpoints(
  services: FamilyServices,
): Readonly<Record<"create" | "detail" | "rename" | "archive" | "restore", Endpoint>> {
  return {
    create: createEndpoint(services, GARDENS, {
      summary: "Lay out a garden",
      body: fieldsBody(GARDEN_FIELDS.fields),
      example: { name: "The garden behind the house" },
      decide: decideGarden,
    }),
    detail: detailEndpoint(services, GARDENS, { summary: "Read a garden", revisions: true }),
    rename: changeEndpoint(services, GARDENS, {
      summary: "Rename a garden",
      body: { name: string({ maximum: 100 }), expectedRevision: optional(revision) },
      example: { name: "The garden" },
      decide: (garden, { name }, now) => nextRevision(garden, "RENAMED", now, { name }),
    }),
    ...archiveEndpoints(services, GARDENS, { noun: "garden" }),
  };
}

export function createBedEndpoints(
  services: FamilyServices,
): Readonly<Record<"create" | "detail" | "replant" | "revisions", Endpoint>> {
  return {
    create: createBelowEndpoint(services, GARDENS, BEDS, {
      summary: "Dig a bed",
      body: fieldsBody(BED_FIELDS.fields),
      example: { crop: "Beans", plants: 3 },
      errors: ["MEMORY_STATE_CONFLICT"],
      related: (sql, garden, _body, { caller }) => countBeds(sql, garden, caller),
      decide: (garden, body, now, { related: beds }) => decideBed(garden, body, now, beds),
    }),
    detail: detailEndpoint(services, BEDS, { summary: "Read a bed", revisions: true }),
    replant: changeEndpoint(services, BEDS, {
      summary: "Replant a bed",
      body: {
        expectedRevision: revision,
        crop: optional(string({ maximum: 100 })),
        plants: optional(integer(0, 1000)),
      },
      example: { expectedRevision: 1, plants: 4 },
      decide: (bed, { expectedRevision: _, ...patch }, now) =>
        nextRevision(bed, "REPLANTED", now, patch),
    }),
    revisions: listBelowEndpoint(services, BEDS, BED_REVISIONS, {
      summary: "List the revisions of a bed",
    }),
  };
}

export function createWateringEndpoints(
  services: FamilyServices,
): Readonly<Record<"append" | "list" | "detail", Endpoint>> {
  return entryEndpoints(services, BEDS, WATERINGS, {
    append: {
      summary: "Water a bed",
      body: { litres: integer(1, 100) },
      example: { litres: 5 },
      decide({ bed_id, revision }, { litres }, { call: { caller, now } }) {
        const row = {
          watering_id: newId(now),
          bed_id,
          bed_revision: revision,
          litres,
          created_at: now,
        };
        return writeWatering(caller.account.accountId, row);
      },
    },
    list: { summary: "List the waterings of a bed, newest first" },
    detail: { summary: "Read a watering" },
  });
}

export function createAlmanacEndpoints(
  services: FamilyServices,
): Readonly<Record<"create" | "detail", Endpoint>> {
  return {
    create: createEndpoint(services, ALMANACS, {
      summary: "Begin the almanac",
      body: fieldsBody(ALMANAC_FIELDS.fields),
      example: { motto: "Sow late", year: 2026 },
      errors: ["MEMORY_STATE_CONFLICT"],
      options: () => ONE_ALMANAC,
      decide: decideAlmanac,
    }),
    detail: detailEndpoint(services, ALMANACS, { summary: "Read the almanac", revisions: true }),
  };
}
