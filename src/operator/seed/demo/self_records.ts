/** Who the person of the sample life is, and what they think of themselves. */

import { readSample, type SampleRecord } from "../sample.ts";

export const SELF_RECORDS: readonly SampleRecord[] = [
  readSample("constitution", "Say it while it can still be changed", ({ ago }) => ({
    entryType: "PRINCIPLE",
    statement: "I name a problem while there is still time to change its course.",
    priority: 1,
    evidence: "The relaunch in spring was moved by a month, and nobody had to work a weekend.",
    counterEvidence: "The failed launch, when six of us knew and none of us spoke.",
    effectiveFrom: ago(1_400),
  })),
  readSample("constitution", "Time with the children is not what is left over", ({ ago }) => ({
    entryType: "VALUE",
    statement: "Two afternoons a week belong to Lena and Jonas, and are planned before all else.",
    priority: 2,
    effectiveFrom: ago(900),
  }), {
    changes: [{
      payload: () => ({
        evidence: "Kept in 41 of the last 52 weeks.",
      }),
    }],
  }),
  readSample("constitution", "Enough", ({ ago }) => ({
    entryType: "DEFINITION",
    statement: "I have enough, and act as if I knew it.",
    priority: 10,
    definition: "Enough is what lets us say no to an offer without doing sums first.",
    effectiveFrom: ago(500),
  })),
  readSample("constitution", "Always be reachable", ({ ago }) => ({
    entryType: "RULE",
    statement: "I answer every message on the day it comes.",
    priority: 40,
    effectiveFrom: ago(2_200),
    supersededAt: ago(700),
  }), { summary: "Superseded: it served others' calendars and nobody's peace.", archived: true }),

  readSample("personal-model", "I decide better in the morning", ({ ago }) => ({
    modelType: "BEHAVIOR_PATTERN",
    statement: "Decisions taken before noon are rarely taken back; evening ones often are.",
    confidence: 0.6,
    evidenceIds: ["decision diary, spring", "review of the flat that we did not buy"],
    counterEvidenceIds: ["the call to my brother"],
    validFrom: ago(400),
    confirmed: false,
  }), { changes: [{ payload: () => ({ confidence: 0.75, confirmed: true }) }] }),
  readSample("personal-model", "Quiet is not agreement", ({ ago }) => ({
    modelType: "CONTRADICTION",
    statement: "I hold that people should speak up, and stay quiet myself when the room is tired.",
    confidence: 0.8,
    evidenceIds: ["steering meeting, March", "parents' evening"],
    validFrom: ago(220),
    confirmed: true,
  })),
  readSample("personal-model", "I am not a sporty person", ({ ago }) => ({
    modelType: "BELIEF",
    statement: "Sport is for others.",
    confidence: 0.2,
    counterEvidenceIds: ["10 km in 58 minutes", "three runs a week since January"],
    validFrom: ago(9_000),
    validTo: ago(150),
    confirmed: true,
  }), { archived: true }),

  readSample("interview", "What gets me up on a Sunday", ({ ago }) => ({
    question: "What gets you out of bed on a day without duties?",
    theorySource: "Logotherapy (Frankl)",
    priorityScore: 78,
    answer:
      "The hour in which the house still sleeps, coffee, and the garden if it is warm enough.",
    followUp: "For whom or what would you get up on the worst day?",
    interviewStatus: "ANSWERED",
    askedAt: ago(20, 8),
  })),
  readSample("interview", "A quarrel not settled, asked again", ({ ago }) => ({
    question: "With whom is something unsettled, and what would you need to settle it?",
    theorySource: "Social support (House)",
    priorityScore: 57,
    interviewStatus: "ASKED",
    askedAt: ago(6, 19),
  }), {
    changes: [{
      payload: () => ({
        answer: "My brother. I would need to begin by asking and not by explaining.",
        proposal: "Mark as a value: asking before explaining.",
        interviewStatus: "CONFIRMED",
      }),
    }],
  }),
  readSample("interview", "About the year 2009", () => ({
    question: "What happened in the year that your timeline leaves out?",
    interviewStatus: "DO_NOT_ASK",
  })),

  readSample("ai-agent", "A mentor on the offer from Hamburg", () => ({
    sessionType: "MENTOR",
    prompt: "I was offered to lead the office in Hamburg. Ask me the questions I am avoiding.",
    contextRefs: ["constitution: enough", "review: last quarter"],
    response: "Who in your family have you not asked yet, and what do you expect them to say?",
    provider: "local",
    model: "sample",
    approvalStatus: "NOT_REQUIRED",
  })),
  readSample("ai-agent", "Sort last year's photographs", () => ({
    sessionType: "CONTROLLED_TASK",
    prompt: "Propose folders for last year's photographs. Move nothing before I agree.",
    response: "Seven folders, by place and month. 212 photographs would move.",
    approvalStatus: "APPROVED",
    executedActions: [{ action: "create folders", count: 7 }, { action: "move", count: 212 }],
  })),
  readSample("ai-agent", "Write to all old classmates", () => ({
    sessionType: "TOOL_APPROVAL",
    prompt: "Send an invitation to everyone on the list of the class reunion.",
    approvalStatus: "REJECTED",
  }), { archived: true }),
];
