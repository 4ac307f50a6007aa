/** A second implementation of proposals, without tables, locks or digests. */

import type { JsonObject } from "../../../src/core/json.ts";
import type { Random } from "../../support/random.ts";

/** Lifetime of a ready proposal in the model. */
export const READY_SECONDS = 1_200;
const LEASE_MS = 60_000;
const PAUSES = [30_000, 60_000, 120_000, 240_000];

type Level = "NORMAL" | "PRIVATE" | "SECRET";

export interface ModelEvidence {
  /** The service's identifier, once known. */
  id: string;
  readonly stance: "SUPPORTING" | "COUNTER";
  readonly content: string;
  readonly written: Level;
  level: Level;
  readonly consent: boolean;
  isLive: boolean;
}

export interface ModelProposal {
  id: string;
  readonly consent: boolean;
  /** The sources, written out, to detect changes. */
  readonly sources: string;
  /** Entries among its sources. */
  readonly taken: readonly ModelEvidence[];
  readonly revision: number;
  state: string;
  readonly states: string[];
  attempts: number;
  /** Names its claim. */
  lease: string | null;
  claimableAt: number;
  expiresAt: number | null;
  evaluation: number | null;
}

export interface ModelPerson {
  readonly id: string;
  revision: number;
  opinion: string | null;
  status: string;
  before: string;
  readonly evidence: ModelEvidence[];
  readonly proposals: ModelProposal[];
  evaluations: number;
}

export function newModel(id: string): ModelPerson {
  const one = { revision: 1, opinion: null, status: "ACTIVE", before: "ACTIVE" };
  return { id, ...one, evidence: [], proposals: [], evaluations: 0 };
}

/** Whether an entry's text may go to a provider. */
export function consents({ consent, written, level }: ModelEvidence): boolean {
  if (!consent) return false;
  return level === "SECRET" ? written === "SECRET" : true;
}

function taken({ evidence }: ModelPerson): ModelEvidence[] {
  return evidence.filter((each) => each.isLive && (each.level !== "SECRET" || consents(each)));
}

/** All sources, written out. */
function sourcesOf(person: ModelPerson): string {
  const entries = taken(person).map(({ id, level }) => `${id} ${level}`);
  return [person.id, person.revision, person.opinion, ...entries.sort()].join("\n");
}

/** The provider's input, in any order. */
export function inputOf(person: ModelPerson, consent: boolean): JsonObject {
  const count = (stance: string) => taken(person).filter((each) => each.stance === stance).length;
  const words = taken(person).filter(consents)
    .toSorted((one, other) => one.id < other.id ? -1 : 1)
    .map(({ stance, content }) => ({ stance, sourceKind: "OTHER", content }));
  return {
    relationshipType: "FRIEND",
    importance: 4,
    lastContactAt: null,
    desiredContactIntervalDays: null,
    evidenceCounts: { supporting: count("SUPPORTING"), counter: count("COUNTER") },
    ...(consent && {
      consented: {
        personName: "Lena",
        opinion: person.opinion,
        evidence: null,
        counterEvidence: null,
        entries: words,
      },
    }),
  };
}

/** An owner's commands, in addition to those about people. */
export type Command =
  | { readonly kind: "propose"; readonly consent: boolean }
  | {
    readonly kind: "confirm";
    readonly proposal: number;
    readonly revision: number;
    readonly proven: boolean;
  }
  | { readonly kind: "reject"; readonly proposal: number }
  | { readonly kind: "patch"; readonly opinion: string }
  | { readonly kind: "move"; readonly to: string }
  | {
    readonly kind: "evidence";
    readonly stance: "SUPPORTING" | "COUNTER";
    readonly level: Level;
    readonly consent: boolean;
  }
  | { readonly kind: "retract"; readonly entry: number }
  | { readonly kind: "reclassify"; readonly entry: number };

export function randomCommand(person: ModelPerson, random: Random): Command {
  const { proposals, evidence, revision } = person;
  const live = evidence.flatMap((each, index) => each.isLive ? [index] : []);
  const open = live.filter((index) => evidence[index]?.level !== "SECRET");
  const kinds: Command["kind"][] = ["propose", "propose", "evidence", "patch"];
  if (random.chance(0.5)) kinds.push("move");
  if (person.status === "ARCHIVED" && random.chance(0.6)) return { kind: "move", to: "restore" };
  if (proposals.length > 0) kinds.push("confirm", "reject");
  if (live.length > 0) kinds.push("retract");
  if (open.length > 0) kinds.push("reclassify");
  const proposal = random.chance(0.85)
    ? proposals.length - 1
    : random.integer(0, proposals.length - 1);
  // Otherwise most proposals would be stale before a decision.
  const waits = proposals.at(-1)?.state === "READY" && random.chance(0.7);
  const likely = ["confirm", "confirm", "confirm", "reject", "patch"] as const;
  switch (random.pick(waits ? likely : kinds)) {
    case "propose":
      return { kind: "propose", consent: random.chance(0.5) };
    case "confirm": {
      const [right, proven] = [random.chance(0.5), random.chance(0.7)];
      return { kind: "confirm", proposal, revision: right ? revision : revision + 1, proven };
    }
    case "reject":
      return { kind: "reject", proposal };
    case "patch":
      return { kind: "patch", opinion: random.text(1, 20) };
    case "move": {
      const moves = [
        "PAUSED",
        "ACTIVE",
        "archive",
        "restore",
        ...random.chance(0.1) ? ["SEALED"] : [],
      ];
      return { kind: "move", to: random.pick(moves) };
    }
    case "evidence":
      return {
        kind: "evidence",
        stance: random.pick(["SUPPORTING", "COUNTER"]),
        level: random.pick(["NORMAL", "PRIVATE", "SECRET"]),
        consent: random.chance(0.5),
      };
    case "retract":
      return { kind: "retract", entry: random.pick(live) };
    case "reclassify":
      return { kind: "reclassify", entry: random.pick(open) };
  }
}

const STATUS = "RELATIONSHIP_STATUS_CONFLICT";
const CONFLICT = "RELATIONSHIP_PROPOSAL_CONFLICT";

export function isOpen({ status }: ModelPerson): boolean {
  return status === "ACTIVE" || status === "PAUSED";
}

/** Returns the error code, or null. */
export function perform(person: ModelPerson, command: Command, now: number): string | null {
  if (command.kind === "move") return move(person, command.to);
  if (!isOpen(person)) return STATUS;
  switch (command.kind) {
    case "propose":
      return propose(person, command.consent, now);
    case "confirm":
      return confirm(person, command, now);
    case "reject": {
      const proposal = person.proposals[command.proposal] as ModelProposal;
      if (stateAt(person, proposal, now) !== "READY") return CONFLICT;
      enter(proposal, "REJECTED");
      return null;
    }
    case "patch":
      person.revision++;
      person.opinion = command.opinion;
      return null;
    case "evidence": {
      const { stance, level, consent } = command;
      const content = `word ${person.id} ${person.evidence.length}`;
      const entry = { id: "", stance, content, written: level, level, consent, isLive: true };
      person.evidence.push(entry);
      return null;
    }
    case "retract":
      (person.evidence[command.entry] as ModelEvidence).isLive = false;
      return null;
    case "reclassify":
      (person.evidence[command.entry] as ModelEvidence).level = "SECRET";
      return null;
  }
}

function move(person: ModelPerson, to: string): string | null {
  const { status } = person;
  const allowed = to === "archive"
    ? isOpen(person)
    : to === "restore"
    ? status === "ARCHIVED"
    : to === "SEALED"
    ? status !== "SEALED"
    : isOpen(person) && status !== to;
  if (!allowed) return STATUS;
  person.revision++;
  if (to === "archive") person.before = status;
  person.status = to === "archive" ? "ARCHIVED" : to === "restore" ? person.before : to;
  return null;
}

function enter(proposal: ModelProposal, state: string): void {
  proposal.state = state;
  proposal.states.push(state);
  proposal.lease = null;
}

function isExhausted({ attempts, lease, claimableAt }: ModelProposal, now: number): boolean {
  return attempts === 5 && (lease === null || claimableAt <= now);
}

export function stateAt(person: ModelPerson, proposal: ModelProposal, now: number): string {
  const { state, expiresAt } = proposal;
  if (state !== "REQUESTED" && state !== "READY") return state;
  if (state === "REQUESTED" && isExhausted(proposal, now)) return state;
  if (person.status === "SEALED") return "EXPIRED";
  return expiresAt !== null && expiresAt <= now ? "EXPIRED" : state;
}

function propose(person: ModelPerson, consent: boolean, now: number): string | null {
  const sources = sourcesOf(person);
  for (const each of person.proposals) {
    if (each.state === "READY") {
      if (stateAt(person, each, now) === "READY") return CONFLICT;
      enter(each, "EXPIRED");
    } else if (each.state === "REQUESTED" && !isExhausted(each, now)) {
      if (each.sources === sources) return CONFLICT;
      enter(each, "STALE");
    } else if (each.state === "REQUESTED") each.lease = null;
  }
  const { revision } = person;
  const made = { state: "REQUESTED", states: ["REQUESTED"], attempts: 0, lease: null };
  const times = { claimableAt: now, expiresAt: null, evaluation: null };
  const all = taken(person);
  person.proposals.push({ id: "", consent, sources, taken: all, revision, ...made, ...times });
  return null;
}

function confirm(
  person: ModelPerson,
  { proposal: index, revision, proven }: Extract<Command, { kind: "confirm" }>,
  now: number,
): string | null {
  const proposal = person.proposals[index] as ModelProposal;
  if (proposal.state !== "READY") return CONFLICT;
  if (stateAt(person, proposal, now) === "EXPIRED") {
    enter(proposal, "EXPIRED");
    return CONFLICT;
  }
  if (proposal.sources !== sourcesOf(person)) {
    enter(proposal, "STALE");
    return "RELATIONSHIP_PROPOSAL_STALE";
  }
  if (revision !== person.revision) return "REVISION_CONFLICT";
  if (!proven) return "STEP_UP_REQUIRED";
  enter(proposal, "CONFIRMED");
  person.revision++;
  proposal.evaluation = ++person.evaluations;
  return null;
}

/** Longest waiting first. */
export function claimable(people: readonly ModelPerson[], now: number): ModelProposal[] {
  return people.filter(isOpen).flatMap(({ proposals }) => proposals)
    .filter(({ state, attempts, claimableAt }) =>
      state === "REQUESTED" && attempts < 5 && claimableAt <= now
    );
}

export function claimed(proposal: ModelProposal, lease: string, now: number): void {
  proposal.lease = lease;
  proposal.attempts++;
  proposal.claimableAt = now + LEASE_MS;
}

/** A worker's operation on a leased proposal. */
export type Work = "ask" | "answer" | "fail" | "give back" | "extend";

export function work(
  person: ModelPerson,
  proposal: ModelProposal,
  lease: string,
  kind: Work,
  now: number,
): string | boolean | null {
  const isOurs = proposal.lease === lease && isOpen(person);
  const isHeld = isOurs && proposal.claimableAt > now;
  const hasDrifted = proposal.sources !== sourcesOf(person);
  switch (kind) {
    case "extend":
      if (isHeld) proposal.claimableAt = now + LEASE_MS;
      return isHeld;
    case "fail":
      if (isOurs) {
        proposal.lease = null;
        proposal.claimableAt = now + (PAUSES[proposal.attempts - 1] ?? 0);
      }
      return null;
    case "give back":
      if (isOurs) {
        proposal.lease = null;
        proposal.claimableAt = now;
        proposal.attempts--;
      }
      return null;
    case "ask":
      if (!hasDrifted) return "input";
      if (!isHeld) return "LOST";
      enter(proposal, "STALE");
      return "STALE";
    case "answer":
      if (!isHeld) return "LOST";
      enter(proposal, hasDrifted ? "STALE" : "READY");
      if (!hasDrifted) proposal.expiresAt = now + READY_SECONDS * 1_000;
      return proposal.state;
  }
}

/** Hidden from readers without access to secrets. */
export function isHidden({ taken }: ModelProposal): boolean {
  return taken.some(({ level }) => level === "SECRET");
}
