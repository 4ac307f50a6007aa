/** What the person of the sample life does, measures and looks back on. */

import { readSample, type SampleRecord } from "../sample.ts";

const NIGHTS = [7.2, 6.4, 7.9, 5.8, 7.1, 8.2, 7.4];
const WEIGHTS = [78.4, 78.1, 77.6, 77.2];

export const GROWTH_RECORDS: readonly SampleRecord[] = [
  readSample("action", "A house with an open door", () => ({
    actionType: "VISION",
    actionTitle: "A house with an open door",
    description: "Friends come without an appointment, and the children bring theirs.",
    actionStatus: "ACTIVE",
    successCriteria: "We could not say who will be at the table on Sunday.",
  })),
  readSample("action", "Four days of work by the time Jonas starts school", ({ id, ahead }) => ({
    actionType: "FIVE_YEAR_PLAN",
    actionTitle: "Four days of work by the time Jonas starts school",
    parentId: id("action/A house with an open door"),
    actionStatus: "ACTIVE",
    priority: 1,
    targetDate: ahead(640),
    successCriteria: "A contract for 32 hours that pays the mortgage.",
  })),
  readSample("action", "Run a half marathon", ({ ahead }) => ({
    actionType: "GOAL",
    actionTitle: "Run a half marathon",
    actionStatus: "ACTIVE",
    priority: 2,
    targetDate: ahead(120),
    successCriteria: "Cross the line below two hours and ten minutes, without a race report.",
  }), { changes: [{ payload: ({ ahead }) => ({ targetDate: ahead(155) }) }] }),
  readSample("action", "Sixteen-week training plan", ({ id, ahead }) => ({
    actionType: "PROJECT",
    actionTitle: "Sixteen-week training plan",
    parentId: id("action/Run a half marathon"),
    actionStatus: "ACTIVE",
    priority: 2,
    targetDate: ahead(150),
    successCriteria: "Three runs a week, the long one on Sunday.",
  })),
  readSample("action", "Buy new running shoes", ({ id, ahead }) => ({
    actionType: "TASK",
    actionTitle: "Buy new running shoes",
    parentId: id("action/Sixteen-week training plan"),
    actionStatus: "PLANNED",
    priority: 3,
    targetDate: ahead(10),
    successCriteria: "No blister after the first ten kilometres.",
  }), { changes: [{ payload: () => ({ actionStatus: "COMPLETED" }) }] }),
  readSample("action", "Learn to play the cello", () => ({
    actionType: "GOAL",
    actionTitle: "Learn to play the cello",
    actionStatus: "ABANDONED",
    priority: 5,
    successCriteria: "One movement of a Bach suite.",
  }), { archived: true }),

  ...NIGHTS.map((value, index) =>
    readSample("health", `Sleep, ${index + 1} nights ago`, ({ ago }) => ({
      metricType: "SLEEP_DURATION",
      value,
      unit: "h",
      measuredAt: ago(index + 1, 7),
      sourceDevice: "Wrist watch",
      quality: "MEASURED",
    }))
  ),
  ...WEIGHTS.map((value, index) =>
    readSample("health", `Weight, week ${index + 1}`, ({ ago }) => ({
      metricType: "WEIGHT",
      value,
      unit: "kg",
      measuredAt: ago((WEIGHTS.length - index) * 7, 7),
      sourceDevice: "Bathroom scale",
      quality: "MEASURED",
    }))
  ),
  readSample("health", "Mood after the long run", ({ ago }) => ({
    metricType: "MOOD",
    value: 8,
    unit: "of 10",
    measuredAt: ago(3, 12),
    quality: "SELF_REPORTED",
    notes: "Cold, wet, and content.",
  })),

  readSample("routine", "Call mother", ({ ago }) => ({
    routineName: "Call mother",
    area: "Family",
    intervalDays: 7,
    lastCompletedAt: ago(9, 18),
    reminderPolicy: "On Sunday, after supper",
    active: true,
  }), {
    changes: [{
      payload: ({ ago }) => ({
        lastCompletedAt: ago(2, 18),
        completionNote: "The new doctor is kind; the stairs are not.",
      }),
    }],
  }),
  readSample("routine", "Descale the coffee machine", ({ ago }) => ({
    routineName: "Descale the coffee machine",
    area: "Household",
    intervalDays: 60,
    lastCompletedAt: ago(71),
    active: true,
  })),
  readSample("routine", "Check-up at the dentist", ({ ago }) => ({
    routineName: "Check-up at the dentist",
    area: "Health",
    intervalDays: 182,
    lastCompletedAt: ago(120, 10),
    reminderPolicy: "Two weeks ahead",
    active: true,
  })),
  readSample("routine", "Swim on Tuesday", ({ ago }) => ({
    routineName: "Swim on Tuesday",
    area: "Health",
    intervalDays: 7,
    lastCompletedAt: ago(260),
    active: false,
  }), { summary: "The pool has closed.", archived: true }),

  readSample("review", "Yesterday", ({ ago }) => ({
    reviewType: "DAILY",
    periodStart: ago(1, 0),
    periodEnd: ago(1, 23),
    reviewSummary: "A quiet day. Finished the offer, read to Jonas, asleep before eleven.",
    achievements: "The offer is out.",
    nextActions: "Ring the joiner.",
  })),
  readSample("review", "Last week", ({ ago }) => ({
    reviewType: "WEEKLY",
    periodStart: ago(8, 0),
    periodEnd: ago(1, 23),
    reviewSummary:
      "Three runs, both afternoons with the children, one evening too many at the desk.",
    achievements: "First run over fifteen kilometres.",
    failures: "Snapped at Lena over a glass of milk. Said so to her later.",
    nextActions: "No laptop after eight.",
  })),
  readSample("review", "What the launch broke", ({ ago }) => ({
    reviewType: "FAILURE",
    periodStart: ago(1_500, 0),
    periodEnd: ago(1_460, 23),
    failures: "We launched what we knew was not ready.",
    decisions: "Name a problem while it can still be changed.",
  })),
  readSample("review", "The year before this one", ({ ago }) => ({
    reviewType: "ANNUAL",
    periodStart: ago(730, 0),
    periodEnd: ago(366, 23),
    reviewSummary:
      "The year of the allotment, of the move to another team, and of father's operation.",
    achievements: "Planted, built, reconciled.",
    nextActions: "Fewer things, longer.",
  })),
];
