import type { SampleResource } from "../sample.ts";

/** The resources of the sample life. */
export const DEMO_RESOURCES: readonly SampleResource[] = [
  {
    name: "Evenings of a week",
    resource: () => ({
      resourceType: "TIME",
      unit: "evenings",
      capacity: 7,
      available: 1,
      notes: "Counted after supper. Tuesday is the choir, and nobody discusses that.",
    }),
    snapshots: [
      ({ ago }) => ({
        observedAt: ago(260, 21),
        capacity: 7,
        available: 0,
        note: "The long runs ate the Tuesday too.",
      }),
      ({ ago }) => ({ observedAt: ago(120, 21), capacity: 7, available: 2 }),
      ({ ago }) => ({ observedAt: ago(8, 21), capacity: 7, available: 1 }),
    ],
    changes: [() => ({ available: 2 })],
  },
  {
    name: "Strength left at six",
    resource: () => ({
      resourceType: "ENERGY",
      level: 55,
      notes: "By feeling, when I put the key down.",
    }),
    snapshots: [
      ({ ago }) => ({ observedAt: ago(400, 18), level: 20, note: "The week of the offer." }),
      ({ ago }) => ({ observedAt: ago(90, 18), level: 60 }),
      ({ ago }) => ({ observedAt: ago(3, 18), level: 55, note: "The knee is quiet." }),
    ],
  },
  {
    name: "Put by for the roof",
    resource: () => ({
      resourceType: "FINANCE",
      amount: 6_200,
      unit: "euros",
      capacity: 18_000,
      available: 11_800,
      notes: "What the carpenter wants, and what of it is still missing.",
    }),
    snapshots: [
      ({ ago }) => ({ observedAt: ago(365), amount: 4_000, capacity: 16_500, available: 12_500 }),
      ({ ago }) => ({
        observedAt: ago(30),
        amount: 6_200,
        capacity: 18_000,
        available: 11_800,
        note: "Wood has become dearer again.",
      }),
    ],
    changes: [
      () => ({ amount: 6_450.5, available: 11_549.5 }),
      () => ({ notes: "Half of it may wait until next year, says the carpenter." }),
    ],
  },
  {
    name: "Italian",
    resource: () => ({
      resourceType: "SKILL",
      level: 35,
      notes: "Enough to order, not enough to quarrel.",
    }),
    snapshots: [({ ago }) => ({ observedAt: ago(200), level: 25 })],
  },
  {
    name: "The people of the allotments",
    resource: () => ({
      resourceType: "NETWORK",
      unit: "gardens",
      amount: 24,
      notes: "Whoever has a ladder lends it. Whoever has plums gives some.",
    }),
    snapshots: [
      ({ ago }) => ({ observedAt: ago(310), amount: 21 }),
      ({ ago }) => ({ observedAt: ago(45), amount: 24, note: "Three new families since spring." }),
    ],
  },
  {
    name: "The choir",
    resource: () => ({ resourceType: "NETWORK", unit: "voices", amount: 31, capacity: 40 }),
  },
  {
    name: "The old project group",
    resource: () => ({
      resourceType: "NETWORK",
      amount: 6,
      notes: "We meant to stay in touch after the launch.",
    }),
    snapshots: [({ ago }) => ({ observedAt: ago(900), amount: 2 })],
    archived: true,
  },
  {
    name: "The workbench in the cellar",
    resource: () => ({
      resourceType: "SPACE",
      unit: "square metres",
      capacity: 6.5,
      available: 0.5,
    }),
  },
  {
    name: "The old car",
    resource: () => ({ resourceType: "EQUIPMENT", level: 30 }),
  },
];
