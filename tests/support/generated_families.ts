/** Lines of families with dependent rows, for `generated_account.ts`. */

import type { Json } from "./world.ts";

/** Lines in order within each type. */
export type Lines = Readonly<Record<string, readonly Json[]>>;

export interface Maker {
  id(number: number): string;
  at(number: number): string;
  /** The title of a revision, as its record shows it. */
  title(number: number): string;
}

export const DIGEST = "ab".repeat(32);
/** Ids of entries follow those of revisions. */
export const ENTRIES = 100;

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
export function projectedRoot(
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

/** An import that made one record. */
export function importLines({ id, at }: Maker): Lines {
  const made = { key: "1", target: "commitment", recordId: id(0) };
  const details = { attachmentIds: [], rules: [], unmapped: [], matches: null };
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
  const items = [{ place: 1, ...made, outcome: "NEW", ...details }];
  const origin = { kind: "ITEM", source: "csv:List", revision: 1, digest: DIGEST, change: "NEW" };
  return {
    import: [{ type: "import", importId: id(0), ...kept, items }],
    origin: [
      { type: "origin", originId: id(0), importId: id(0), ...made, ...origin, createdAt: at(0) },
    ],
  };
}
