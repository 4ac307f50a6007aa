/** Resource rows written past the application, and rows that the tables must reject. */

import { ulid } from "@std/ulid";
import {
  insertRow,
  newRow,
  type RootKind,
  unprojected,
  wrongRows,
  wrongSteps,
} from "../../storage/family_rows.ts";
import { AT, insertInto, type Offences, type Row } from "../../storage/rows.ts";

export const RESOURCES: RootKind = {
  root: "resources",
  ledger: "resource_revisions",
  id: "resource_id",
  module: "resource",
  fixed: [],
  sample: () => ({
    archived_at: null,
    resource_type: "TIME",
    name: "The garden",
    amount: 12.5,
    unit: "hours",
    capacity: 10,
    available: 2.5,
    level: 25,
    notes: null,
  }),
  others: {
    archived_at: AT,
    resource_type: "NETWORK",
    name: "The neighbours",
    amount: -1e-7,
    unit: "people",
    capacity: 20,
    available: 20,
    level: 100,
    notes: "Ask Ana.",
  },
};

export function newSnapshot(resource: Row, columns: Row = {}): Row {
  const { owner_id, resource_id, revision } = resource;
  return {
    ...{ owner_id, resource_id, resource_revision: revision } as Row,
    snapshot_id: ulid(),
    observed_at: AT,
    amount: 1,
    capacity: 10,
    available: 2.5,
    level: 25,
    note: null,
    created_at: AT,
    ...columns,
  };
}

function wrongSnapshots(...columns: readonly Row[]): Offences {
  return (caller) =>
    columns.map((wrong) => {
      const resource = newRow(RESOURCES, caller.accountId);
      const snapshot = insertInto("resource_snapshots", newSnapshot(resource, wrong));
      return insertRow(RESOURCES, resource) + snapshot;
    });
}

const TOO_LONG = "x".repeat(100_001);
const BEYOND = 1_000_000_000_001;

/** Keyed by constraint. */
export const RESOURCE_OFFENCES: Readonly<Record<string, Offences>> = {
  resource_owner_exists: () => [insertInto("resources", newRow(RESOURCES, ulid()))],
  resource_name_length: wrongRows(RESOURCES, { name: "" }, { name: "x".repeat(501) }),
  resource_unit_length: wrongRows(RESOURCES, { unit: "x".repeat(501) }),
  resource_notes_length: wrongRows(RESOURCES, { notes: TOO_LONG }),
  resource_amount_range: wrongRows(
    RESOURCES,
    ...[-BEYOND, BEYOND, "NaN", "Infinity"].map((amount) => ({ amount })),
  ),
  resource_capacity_range: wrongRows(
    RESOURCES,
    ...[-0.001, BEYOND, "NaN"].map((capacity) => ({ capacity, available: null })),
  ),
  resource_available_range: wrongRows(
    RESOURCES,
    ...[-BEYOND, BEYOND, "-Infinity"].map((available) => ({ available, capacity: null })),
  ),
  resource_level_range: wrongRows(
    RESOURCES,
    ...[-0.001, 100.001, "NaN"].map((level) => ({ level })),
  ),
  resource_available_within_capacity: wrongRows(
    RESOURCES,
    { available: 10.001 },
    { capacity: 0, available: 1e-7 },
  ),
  resource_change_known: wrongSteps(RESOURCES, { change: "modified" }),
  resource_change_fits: wrongSteps(
    RESOURCES,
    { change: "CREATED" },
    { change: "ARCHIVED", archived_at: null },
    { change: "RESTORED", archived_at: AT },
  ),
  resource_revision_is_projected: unprojected(RESOURCES),
  resource_snapshots_clocks: wrongSnapshots({ clocks: `{"observedAt":"+24:00"}` }),
  resource_snapshot_amount_range: wrongSnapshots({ amount: BEYOND }, { amount: "NaN" }),
  resource_snapshot_capacity_range: wrongSnapshots(
    ...[-0.001, BEYOND, "NaN"].map((capacity) => ({ capacity, available: null })),
  ),
  resource_snapshot_available_range: wrongSnapshots(
    ...[-BEYOND, BEYOND].map((available) => ({ available, capacity: null })),
  ),
  resource_snapshot_level_range: wrongSnapshots({ level: -1 }, { level: 100.001 }),
  resource_snapshot_note_length: wrongSnapshots({ note: TOO_LONG }),
  resource_snapshot_has_a_figure: wrongSnapshots({
    amount: null,
    capacity: null,
    available: null,
    level: null,
    note: "Nothing was measured.",
  }),
  resource_snapshot_available_within_capacity: wrongSnapshots({ available: 10.001 }),
  resource_snapshot_not_in_the_future: wrongSnapshots({ observed_at: "2026-11-20T12:05:00.001Z" }),
  resource_snapshot_of_revision: wrongSnapshots(
    { resource_revision: 2 },
    { resource_revision: 0 },
    { resource_id: ulid() },
  ),
};
