/** Lines of families with dependent rows, for `generated_account.ts`. */

import { sha256Hex } from "../../src/core/digest.ts";
import type { Json } from "./world.ts";

/** Lines in order within each type. */
export type Lines = Readonly<Record<string, readonly Json[]>>;

export interface Maker {
  id(number: number): string;
  at(number: number): string;
  /** The title of a revision, as its record shows it. */
  title(number: number): string;
}

/** One per entry that makes a revision. */
export const PERSON_REVISIONS = 7;
/** A person's summary. */
export const RELATIONSHIP_TYPE = "FRIEND";

const DIGEST = "ab".repeat(32);
/** Ids of entries follow those of revisions. */
const ENTRIES = 100;

function rootOf(
  { id, at }: Maker,
  type: string,
  name: string,
  number: number,
  content: Json,
): Json {
  const revisionId = id(number + 1);
  const revision = { revision: 1, revisionId, change: "CREATED", createdAt: at(0) };
  const { fixed = {}, ...changing } = content;
  return {
    type,
    [name]: id(number),
    ...fixed,
    revision: 1,
    revisionId,
    createdAt: at(0),
    updatedAt: at(0),
    ...changing,
    revisions: [{ ...revision, ...changing }],
  };
}

/** A root with as many revisions as its record. */
function projectedRoot(
  { id, at }: Maker,
  type: string,
  name: string,
  contents: readonly Json[],
): Json {
  const revisions = contents.map((content, place) => {
    const change = place === 0 ? "CREATED" : "MODIFIED";
    const own = { revision: place + 1, revisionId: id(place), change, createdAt: at(place) };
    return { ...own, archivedAt: null, ...content };
  });
  const { change: _, ...newest } = revisions.at(-1) ?? {} as Json;
  return {
    type,
    [name]: id(0),
    ...newest,
    createdAt: at(0),
    updatedAt: newest.createdAt,
    revisions,
  };
}

/** A decision with some of everything below it. */
export function decisionLines(maker: Maker, revisions: number): Lines {
  const { id, at, title } = maker;
  const decided = { chosenOption: "Go", decidedAt: at(0), reviewAt: null };
  const unsaid = { rationale: null, prediction: null, actualOutcome: null };
  const contents = Array.from({ length: revisions }, (_, place) => ({
    question: title(place),
    options: { items: ["Go", "Stay"] },
    ...decided,
    ...unsaid,
  }));
  const fixed = { decisionId: id(0) };
  const below = (type: string, name: string, number: number, content: Json) => [
    rootOf(maker, type, name, ENTRIES + number, { fixed, ...content }),
  ];
  const foreseen = { predictionId: id(ENTRIES + 10), predictionRevision: 1 };
  return {
    decision: [projectedRoot(maker, "decision", "decisionId", contents)],
    analysis: below("analysis", "analysisId", 0, {
      decisionRevision: 1,
      criteria: [{ name: "Light", normalisedWeight: 1, weight: 2 }],
      scores: { Go: { Light: 1 }, Stay: { Light: 0 } },
      totals: [],
      ranking: [],
      sensitivity: null,
    }),
    prediction: below("prediction", "predictionId", 10, {
      statement: "It rains.",
      probability: 0.25,
      dueAt: at(0),
    }),
    outcome: below("outcome", "outcomeId", 20, {
      fixed: { ...fixed, ...foreseen },
      occurred: true,
      description: "It rained.",
      observedAt: at(0),
      satisfaction: null,
    }),
    counterfactual: below("counterfactual", "counterfactualId", 30, {
      option: "Stay",
      narrative: "Dry.",
      expectedValue: 1.5,
      confidence: 0.5,
    }),
    simulation: below("simulation", "simulationId", 40, {
      decisionRevision: 1,
      algorithm: 1,
      seed: 42,
      runs: 10,
      options: [{ option: "Go" }, { option: "Stay" }],
      results: [{ mean: 1 }, { mean: 2 }],
    }),
  };
}

export function resourceLines(maker: Maker, revisions: number): Lines {
  const { id, at, title } = maker;
  const figures = { amount: 0.1, capacity: 10, available: 2.5, level: 25 };
  const contents = Array.from({ length: revisions }, (_, place) => ({
    resourceType: "TIME",
    name: title(place),
    unit: "hours",
    notes: null,
    ...figures,
  }));
  const about = { resourceId: id(0), resourceRevision: 1, observedAt: at(0) };
  return {
    resource: [projectedRoot(maker, "resource", "resourceId", contents)],
    resourceSnapshot: [{
      type: "resourceSnapshot",
      snapshotId: id(ENTRIES),
      ...about,
      ...figures,
      note: null,
      createdAt: at(0),
    }],
  };
}

export function identityLines(maker: Maker): Lines {
  const { id, at } = maker;
  const of = (number: number) => id(ENTRIES + number);
  const unsaid = { lifeStage: null, startedAt: null, endedAt: null, biography: null };
  const profile = { ...unsaid, publicSummary: null, tags: ["rowing"] };
  const execution = (executionId: string) => ({
    type: "execution",
    executionId,
    recordId: null,
    moduleCode: "identity",
    revision: null,
    featureId: "IDN-005",
    strategy: "compare",
    status: "SUCCEEDED",
    output: {},
    createdAt: at(0),
  });
  const [roleId, comparisonId, drillId] = [of(10), of(20), of(30)];
  return {
    execution: [execution(comparisonId), execution(drillId)],
    profile: [rootOf(maker, "profile", "profileId", ENTRIES, {
      displayName: "Ada",
      roleId,
      role: "Baker",
      ...profile,
    })],
    role: [{
      type: "role",
      roleId,
      role: "Baker",
      changedAt: at(0),
      reason: null,
      profileRevision: 1,
      createdAt: at(0),
    }],
    stage: [rootOf(maker, "stage", "stageId", ENTRIES + 40, {
      archivedAt: null,
      lifeStage: "ADULTHOOD",
      title: "A stage",
      note: null,
      startedAt: at(0),
      endedAt: null,
    })],
    snapshot: [{
      type: "snapshot",
      snapshotId: of(50),
      label: "Then",
      asOf: null,
      displayName: "Ada",
      profileRevision: null,
      role: null,
      ...profile,
      createdAt: at(0),
    }],
    comparison: [{
      type: "comparison",
      comparisonId,
      leftRevision: 1,
      leftSnapshotId: null,
      rightRevision: null,
      rightSnapshotId: of(50),
      createdAt: at(0),
    }],
    legacyPlan: [rootOf(maker, "legacyPlan", "planId", ENTRIES + 60, {
      recipientDescription: "A friend",
      releaseCondition: "One day",
      instructions: null,
      fields: ["displayName", "biography"],
    })],
    legacyDrill: [{
      type: "legacyDrill",
      drillId,
      planId: of(60),
      planRevision: 1,
      profileRevision: 1,
      createdAt: at(0),
    }],
  };
}

/** A person with one entry of each kind. */
export function personLines(maker: Maker): Lines {
  const { id, at, title } = maker;
  const personId = id(0);
  const of = (number: number) => id(ENTRIES + number);
  const [contactId, experienceId, evidenceId] = [of(0), of(1), of(2)];
  const [proposalId, evaluationId, moveId] = [of(3), of(4), of(5)];
  const entry = (type: string, own: Json) => ({ type, personId, recordedAt: at(0), ...own });
  const text = (name: string, content: string) => ({
    [name]: content,
    privacy: "NORMAL",
    contentHash: sha256Hex(content),
  });
  const moved = (number: number, fromState: string | null, toState: string) =>
    entry("proposalEvent", { proposalId, eventId: of(number), fromState, toState, reason: null });
  const line = (number: number, kind: string, sourceId: string, more: Json = {}) =>
    entry("timelineEntry", { entryId: of(number), kind, sourceId, occurredAt: null, ...more });
  const candidate = { provider: "http", model: "a-model", sourceDigest: DIGEST, sourceRevision: 1 };
  return {
    contact: [entry("contact", {
      recordedAt: at(1),
      contactId,
      personRevision: 2,
      contactedAt: at(0),
      channel: "CALL",
      direction: "MUTUAL",
      ...text("note", "By the lake"),
    })],
    contactControl: [entry("contactControl", {
      recordedAt: at(2),
      controlId: of(10),
      contactId,
      personRevision: 3,
      kind: "RETRACTED",
    })],
    experience: [entry("experience", {
      experienceId,
      title: "The night train",
      occurredAt: at(0),
      timePrecision: "DAY",
      timeText: null,
      ...text("narrative", "We talked."),
    })],
    evidence: [entry("evidence", {
      evidenceId,
      stance: "SUPPORTING",
      sourceKind: "OBSERVATION",
      sourceRef: null,
      providerConsent: false,
      ...text("content", "Came at once."),
    })],
    evidenceControl: [entry("evidenceControl", {
      controlId: of(11),
      evidenceId,
      controlNumber: 1,
      kind: "RETRACTED",
      supersededBy: null,
      privacy: null,
    })],
    detail: [entry("detail", {
      recordedAt: at(5),
      detailId: of(6),
      kind: "PHONE",
      value: { value: "+49 30 1234567" },
      label: "Lake house",
      preferred: true,
      note: null,
      privacy: "PRIVATE",
      contentHash: sha256Hex('{"value":"+49 30 1234567"}'),
      personRevision: 6,
      controls: [{
        controlId: of(12),
        personRevision: 7,
        kind: "RETRACTED",
        supersededBy: null,
        privacy: null,
        recordedAt: at(6),
      }],
    })],
    proposal: [{
      type: "proposal",
      personId,
      proposalId,
      createdAt: at(0),
      providerConsent: false,
      sources: [],
      state: "CONFIRMED",
      attempts: 1,
      leaseId: null,
      claimableAt: at(0),
      ...candidate,
      candidate: "Loyal.",
      readyAt: at(0),
      expiresAt: at(9),
      decidedAt: at(3),
      evaluationRevision: 1,
    }],
    proposalEvent: [
      moved(20, null, "REQUESTED"),
      moved(21, "REQUESTED", "READY"),
      moved(22, "READY", "CONFIRMED"),
    ],
    evaluation: [entry("evaluation", {
      recordedAt: at(3),
      evaluationId,
      evaluationRevision: 1,
      proposalId,
      origin: "USER_CONFIRMED",
      text: "Loyal.",
      ...candidate,
      personRevision: 4,
    })],
    person: [personRoot(maker, title)],
    statusEvent: [entry("statusEvent", {
      recordedAt: at(4),
      eventId: moveId,
      personRevision: 5,
      fromStatus: "ACTIVE",
      toStatus: "PAUSED",
      reason: null,
    })],
    timelineEntry: [
      line(30, "CONTACT_RECORDED", contactId, { occurredAt: at(0), recordedAt: at(1) }),
      line(31, "CONTACT_RETRACTED", contactId, { recordedAt: at(2) }),
      line(32, "EXPERIENCE_RECORDED", experienceId, { occurredAt: at(0) }),
      line(33, "STATUS_CHANGED", moveId, { recordedAt: at(4) }),
      line(34, "EVALUATION_CONFIRMED", evaluationId, { recordedAt: at(3) }),
    ],
  };
}

/** Its revisions follow from its entries. */
function personRoot(maker: Maker, title: Maker["title"]): Json {
  const changes = [
    { change: "CREATED" },
    { change: "CONTACT_RECORDED", lastContactAt: maker.at(0) },
    { change: "CONTACT_RETRACTED" },
    { change: "EVALUATION_CONFIRMED", currentEvaluationRevision: 1 },
    ...["STATUS_CHANGED", "DETAIL_RECORDED", "DETAIL_CONTROLLED"].map((change) => ({
      change,
      currentEvaluationRevision: 1,
      status: "PAUSED",
    })),
  ];
  const contents = changes.map((columns, place) => ({
    personName: title(place),
    relationshipType: RELATIONSHIP_TYPE,
    importance: 3,
    lastContactAt: null,
    desiredContactIntervalDays: null,
    opinion: null,
    evidence: null,
    counterEvidence: null,
    status: "ACTIVE",
    statusBefore: null,
    currentEvaluationRevision: null,
    ...columns,
  }));
  return projectedRoot(maker, "person", "personId", contents);
}

/** An import that made one record. */
export function importLines({ id, at }: Maker): Lines {
  const made = { key: "1", target: "commitment", recordId: id(0) };
  const told = { attachmentIds: [], rules: [], unmapped: [], matches: null };
  const kept = {
    format: "csv",
    name: "List",
    source: "csv:List",
    size: 1,
    sha256: DIGEST,
    keepOriginal: false,
    createdAt: at(0),
    updatedAt: at(0),
    state: "DONE",
    mapping: {},
    columns: ["Title"],
    counts: {},
    attachments: {},
    unmapped: [],
    rules: [],
    needs: [],
    plan: DIGEST,
    done: 1,
    total: 1,
    refusal: null,
    originalAttachmentId: null,
    withdrawn: null,
    tries: null,
    reads: null,
    filename: null,
  };
  const items = [{ place: 1, ...made, outcome: "NEW", ...told }];
  const origin = { kind: "ITEM", source: "csv:List", revision: 1, digest: DIGEST, change: "NEW" };
  return {
    import: [{ type: "import", importId: id(0), ...kept, items }],
    origin: [
      { type: "origin", originId: id(0), importId: id(0), ...made, ...origin, createdAt: at(0) },
    ],
  };
}
