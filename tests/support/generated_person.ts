/** Lines of a person with one entry of each kind, for `generated_account.ts`. */

import { sha256Hex } from "../../src/core/digest.ts";
import { DIGEST, ENTRIES, type Lines, type Maker, projectedRoot } from "./generated_families.ts";
import type { Json } from "./world.ts";

/** One per entry that makes a revision. */
export const PERSON_REVISIONS = 7;
/** A person's summary. */
export const RELATIONSHIP_TYPE = "FRIEND";

/** The provider's part of a proposal and of its evaluation. */
const CANDIDATE = { provider: "http", model: "a-model", sourceDigest: DIGEST, sourceRevision: 1 };

export function personLines(maker: Maker): Lines {
  return {
    ...ledgerLines(maker),
    ...proposalLines(maker),
    person: [personRoot(maker)],
    ...historyLines(maker),
  };
}

function idsOf({ id }: Maker) {
  const of = (number: number) => id(ENTRIES + number);
  return {
    of,
    contactId: of(0),
    experienceId: of(1),
    evidenceId: of(2),
    proposalId: of(3),
    evaluationId: of(4),
    statusEventId: of(5),
    detailId: of(6),
  };
}

function entry({ id, at }: Maker, type: string, own: Json): Json {
  return { type, personId: id(0), recordedAt: at(0), ...own };
}

function text(name: string, content: string): Json {
  return { [name]: content, privacy: "NORMAL", contentHash: sha256Hex(content) };
}

/** Contacts, experiences, evidence and details. */
function ledgerLines(maker: Maker): Lines {
  const { at } = maker;
  const { of, contactId, experienceId, evidenceId, detailId } = idsOf(maker);
  return {
    contact: [entry(maker, "contact", {
      recordedAt: at(1),
      contactId,
      personRevision: 2,
      contactedAt: at(0),
      channel: "CALL",
      direction: "MUTUAL",
      ...text("note", "By the lake"),
    })],
    contactControl: [entry(maker, "contactControl", {
      recordedAt: at(2),
      controlId: of(10),
      contactId,
      personRevision: 3,
      kind: "RETRACTED",
    })],
    experience: [entry(maker, "experience", {
      experienceId,
      title: "The night train",
      occurredAt: at(0),
      timePrecision: "DAY",
      timeText: null,
      ...text("narrative", "We talked."),
    })],
    evidence: [entry(maker, "evidence", {
      evidenceId,
      stance: "SUPPORTING",
      sourceKind: "OBSERVATION",
      sourceRef: null,
      providerConsent: false,
      ...text("content", "Came at once."),
    })],
    evidenceControl: [entry(maker, "evidenceControl", {
      controlId: of(11),
      evidenceId,
      controlNumber: 1,
      kind: "RETRACTED",
      supersededBy: null,
      privacy: null,
    })],
    detail: [entry(maker, "detail", {
      recordedAt: at(5),
      detailId,
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
  };
}

function proposalLines(maker: Maker): Lines {
  const { id, at } = maker;
  const { of, proposalId, evaluationId } = idsOf(maker);
  const moved = (number: number, fromState: string | null, toState: string) =>
    entry(maker, "proposalEvent", {
      proposalId,
      eventId: of(number),
      fromState,
      toState,
      reason: null,
    });
  return {
    proposal: [{
      type: "proposal",
      personId: id(0),
      proposalId,
      createdAt: at(0),
      providerConsent: false,
      sources: [],
      state: "CONFIRMED",
      attempts: 1,
      leaseId: null,
      claimableAt: at(0),
      ...CANDIDATE,
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
    evaluation: [entry(maker, "evaluation", {
      recordedAt: at(3),
      evaluationId,
      evaluationRevision: 1,
      proposalId,
      origin: "USER_CONFIRMED",
      text: "Loyal.",
      ...CANDIDATE,
      personRevision: 4,
    })],
  };
}

function historyLines(maker: Maker): Lines {
  const { at } = maker;
  const { of, contactId, experienceId, evaluationId, statusEventId } = idsOf(maker);
  const line = (number: number, kind: string, sourceId: string, more: Json = {}) =>
    entry(maker, "timelineEntry", {
      entryId: of(number),
      kind,
      sourceId,
      occurredAt: null,
      ...more,
    });
  return {
    statusEvent: [entry(maker, "statusEvent", {
      recordedAt: at(4),
      eventId: statusEventId,
      personRevision: 5,
      fromStatus: "ACTIVE",
      toStatus: "PAUSED",
      reason: null,
    })],
    timelineEntry: [
      line(30, "CONTACT_RECORDED", contactId, { occurredAt: at(0), recordedAt: at(1) }),
      line(31, "CONTACT_RETRACTED", contactId, { recordedAt: at(2) }),
      line(32, "EXPERIENCE_RECORDED", experienceId, { occurredAt: at(0) }),
      line(33, "STATUS_CHANGED", statusEventId, { recordedAt: at(4) }),
      line(34, "EVALUATION_CONFIRMED", evaluationId, { recordedAt: at(3) }),
    ],
  };
}

/** Its revisions follow from its entries. */
function personRoot(maker: Maker): Json {
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
    personName: maker.title(place),
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
