import type { SamplePerson } from "../sample.ts";

/** The people of the sample life, beside those whom its records name. */
export const DEMO_PEOPLE: readonly SamplePerson[] = [
  {
    name: "Henning",
    person: ({ ago }) => ({
      relationshipType: "FAMILY",
      importance: 5,
      lastContactAt: ago(40, 20),
      desiredContactIntervalDays: 14,
      opinion: "He asks before he advises. I would like to have that from him.",
    }),
    contacts: [
      {
        contact: ({ ago }) => ({
          contactedAt: ago(21, 19),
          channel: "CALL",
          direction: "OUTGOING",
          note: "About mother's knee, and for an hour about nothing.",
          privacy: "PRIVATE",
        }),
      },
      {
        contact: ({ ago }) => ({
          contactedAt: ago(2, 18),
          channel: "CALL",
          direction: "OUTGOING",
          note: "Wrong day: that was the dentist.",
          privacy: "NORMAL",
        }),
        retracted: true,
      },
      {
        contact: ({ ago }) => ({
          contactedAt: ago(6, 15),
          channel: "IN_PERSON",
          direction: "MUTUAL",
          privacy: "NORMAL",
        }),
      },
    ],
    experiences: [
      () => ({
        title: "The raft",
        narrative:
          "Four oil drums and a door. It carried us as far as the reeds, and we told no one.",
        timePrecision: "LIFE_PERIOD",
        timeText: "The summer before he started school",
        privacy: "NORMAL",
      }),
      ({ ago }) => ({
        title: "The night at the hospital",
        narrative: "We counted the lights on the other shore until father was out of the theatre.",
        occurredAt: ago(2_190, 23),
        timePrecision: "DAY",
        privacy: "SECRET",
      }),
    ],
    evidence: [
      {
        evidence: () => ({
          stance: "SUPPORTING",
          content: "He drove through the night when I only said that I was tired.",
          sourceKind: "OBSERVATION",
          privacy: "PRIVATE",
          providerConsent: true,
        }),
      },
      {
        evidence: () => ({
          stance: "COUNTER",
          content: "He never calls first.",
          sourceKind: "OBSERVATION",
          privacy: "PRIVATE",
          providerConsent: false,
        }),
      },
      {
        evidence: () => ({
          stance: "COUNTER",
          content: "He seldom calls first, but he has never let a call of mine ring out.",
          sourceKind: "OBSERVATION",
          privacy: "PRIVATE",
          providerConsent: true,
        }),
        supersedes: true,
      },
    ],
    changes: [() => ({ desiredContactIntervalDays: 10 })],
    evaluated: true,
  },
  {
    name: "Mirko",
    person: () => ({
      relationshipType: "FRIEND",
      importance: 4,
      desiredContactIntervalDays: 30,
    }),
    contacts: [
      {
        contact: ({ ago }) => ({
          contactedAt: ago(11, 12),
          channel: "MESSAGE",
          direction: "INCOMING",
          note: "Whether the roof rack fits his car.",
          privacy: "NORMAL",
        }),
      },
    ],
    experiences: [
      ({ ago }) => ({
        title: "Into the storm with the small boat",
        narrative: "He laughed the whole way, and confessed on land that he cannot swim.",
        occurredAt: ago(1_800),
        timePrecision: "MONTH",
        privacy: "NORMAL",
      }),
    ],
    evidence: [
      {
        evidence: ({ id }) => ({
          stance: "SUPPORTING",
          content: "He asked me, and no one else, to help with the move.",
          sourceKind: "RECORD",
          sourceRef: id("commitment/Help Mirko move"),
          privacy: "NORMAL",
          providerConsent: false,
        }),
      },
    ],
  },
  {
    name: "Mrs Petersen",
    person: ({ ago }) => ({
      relationshipType: "ACQUAINTANCE",
      importance: 2,
      lastContactAt: ago(4, 17),
      opinion: "Sees everything, and says only half of it.",
    }),
  },
  {
    name: "Professor Ahlers",
    person: ({ ago }) => ({
      relationshipType: "MENTOR",
      importance: 3,
      lastContactAt: ago(700),
      desiredContactIntervalDays: 365,
      evidence: "Read every draft twice, the second time aloud.",
      counterEvidence: "Took the paper for himself.",
    }),
    moves: [{ to: "PAUSED", reason: "I do not know yet what I want to say to him." }],
  },
  {
    name: "Silke from the old department",
    person: ({ ago }) => ({
      relationshipType: "COLLEAGUE",
      importance: 1,
      lastContactAt: ago(1_190),
    }),
    moves: [
      { to: "ARCHIVED", reason: "She moved away." },
      { to: "RESTORED" },
      { to: "ARCHIVED" },
    ],
  },
  {
    name: "V.",
    person: ({ ago }) => ({
      relationshipType: "OTHER",
      importance: 1,
      lastContactAt: ago(3_200),
    }),
    experiences: [
      ({ ago }) => ({
        title: "The letter that I sent back",
        occurredAt: ago(3_200),
        timePrecision: "YEAR",
        privacy: "SECRET",
      }),
    ],
    moves: [{ to: "SEALED", reason: "Nothing is to be added." }],
  },
];
