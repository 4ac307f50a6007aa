/** What the person of the sample life shares with others, in life and beyond it. */

import { readSample, type SampleRecord } from "../sample.ts";

export const PEOPLE_RECORDS: readonly SampleRecord[] = [
  readSample("commitment", "Help Mirko move", ({ ahead }) => ({
    commitmentType: "OUTGOING",
    counterparty: "Mirko",
    content: "Help with the move, and bring the roof rack.",
    dueAt: ahead(16),
    completionStatus: "OPEN",
  })),
  readSample("commitment", "The drill from next door", ({ ago }) => ({
    commitmentType: "BORROWED",
    counterparty: "Mrs Petersen",
    content: "Her late husband's drill, in its case.",
    dueAt: ago(5),
    completionStatus: "OPEN",
    notes: "Take her some plums with it.",
  }), {
    changes: [{
      payload: ({ ago }) => ({
        completionStatus: "COMPLETED",
        completedAt: ago(4, 17),
        reliabilityImpact: 1,
      }),
    }],
  }),
  readSample("commitment", "Answer from the school", ({ ago }) => ({
    commitmentType: "PENDING_REPLY",
    counterparty: "Mr Okafor, Lena's teacher",
    content: "Whether the class trip can wait until after the holidays.",
    dueAt: ago(1),
    completionStatus: "IN_PROGRESS",
  })),
  readSample("commitment", "Write the chapter for the yearbook", ({ ago }) => ({
    commitmentType: "OUTGOING",
    counterparty: "Sailing club",
    content: "Four pages on the winter storage.",
    dueAt: ago(90),
    completionStatus: "BROKEN",
    reliabilityImpact: -2,
    notes: "Told them too late.",
  }), { archived: true }),

  readSample("community", "The allotment association", ({ ago }) => ({
    communityName: "Sonnenhang allotment association",
    communityType: "HOBBY",
    role: "Member, looks after the water meter",
    importance: 3,
    joinedAt: ago(820),
    notes: "Assembly in March, work day in October.",
  })),
  readSample("community", "The Tuesday choir", ({ ago }) => ({
    communityName: "Tuesday choir",
    communityType: "HOBBY",
    role: "Second alto",
    importance: 4,
    joinedAt: ago(420),
  }), { changes: [{ payload: () => ({ importance: 5, role: "Second alto, keeps the scores" }) }] }),
  readSample("community", "The old department", ({ ago }) => ({
    communityName: "Coastal survey department",
    communityType: "WORK",
    importance: 2,
    joinedAt: ago(4_000),
    leftAt: ago(1_200),
  }), { archived: true }),

  readSample("integration", "Wrist watch", () => ({
    connectorType: "WATCH",
    provider: "Export file",
    accountAlias: "my wrist",
    authorizationStatus: "NOT_AUTHORIZED",
    importMode: "MANUAL",
    mappingConfig: { sleep: "health.SLEEP_DURATION", unit: "h" },
    auditStatus: "NOT_AUDITED",
  }), {
    changes: [{ payload: ({ ago }) => ({ lastSyncAt: ago(1, 7), auditStatus: "CLEAN" }) }],
  }),
  readSample("integration", "Family calendar", ({ ago }) => ({
    connectorType: "CALENDAR",
    provider: "Own server",
    authorizationStatus: "REVOKED",
    lastSyncAt: ago(300),
    importMode: "SCHEDULED",
    auditStatus: "FLAGGED",
  }), { archived: true }),
  readSample("integration", "Scanner in the study", () => ({
    connectorType: "FILE",
    provider: "Shared folder",
    authorizationStatus: "PENDING",
    importMode: "CONTINUOUS",
    auditStatus: "NOT_AUDITED",
  })),

  readSample("legacy", "A letter to Lena at eighteen", ({ id }) => ({
    planType: "TIME_CAPSULE",
    legacyTitle: "A letter to Lena at eighteen",
    recipientDescription: "Lena, on her eighteenth birthday",
    releaseCondition: "Her eighteenth birthday",
    sealedContent: `The letter is the file ${id("letter-to-lena.txt")}.`,
    legacyStatus: "SEALED",
  })),
  readSample("legacy", "Where the papers are", ({ ago }) => ({
    planType: "DIGITAL_LEGACY",
    legacyTitle: "Where the papers are",
    recipientDescription: "My sister, and after her Mirko",
    releaseInstructions: "The grey folder, left of the desk. The notary has the rest.",
    lastDrillAt: ago(200),
    legacyStatus: "DRILLED",
  })),
  readSample("legacy", "What to do with the allotment", () => ({
    planType: "RELEASE",
    legacyTitle: "What to do with the allotment",
    legacyStatus: "DRAFT",
  }), {
    changes: [{
      payload: () => ({ releaseCondition: "When neither of us can kneel any more." }),
    }],
  }),

  readSample("publication", "On planting a tree late", ({ ago }) => ({
    publicationTitle: "On planting a tree late",
    publicationType: "ESSAY",
    audience: "Members of the association",
    body: "A plum tree bears after four years. I was thirty-nine, and did the sum twice.",
    sourceRefs: ["place: the allotment"],
    publishedAt: ago(60),
    publicationStatus: "PUBLISHED",
  })),
  readSample("publication", "Winter storage, a checklist", () => ({
    publicationTitle: "Winter storage, a checklist",
    publicationType: "OTHER",
    audience: "Sailing club",
    body: "Drain the tank. Dry the sails. Write down what you swore to mend.",
    publicationStatus: "DRAFT",
  }), { changes: [{ payload: () => ({ publicationStatus: "REVIEWED" }) }] }),
  readSample("publication", "About me, for the old department", ({ ago }) => ({
    publicationTitle: "About me",
    publicationType: "PROFILE",
    body: "Surveyor of coasts, father of two, late gardener.",
    publishedAt: ago(2_000),
    revokedAt: ago(1_200),
    publicationStatus: "REVOKED",
  }), { archived: true }),
];
