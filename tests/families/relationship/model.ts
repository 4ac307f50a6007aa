/** A model of people and ledgers by the contract, without SQL or HTTP. */

import type { ErrorCode } from "../../../src/errors/codes.ts";
import type { PrivacyLevel } from "../../../src/kit/stored_ledger.ts";
import type { Status } from "../../../src/families/relationship/person.ts";
import type { Random } from "../../support/random.ts";

export interface ModelContact {
  readonly contactedAt: string;
  readonly privacy: PrivacyLevel;
  readonly isRetracted: boolean;
}

export interface ModelExperience {
  readonly occurredAt: string | null;
  readonly privacy: PrivacyLevel;
}

/** Named by its index. */
export interface ModelEvidence {
  readonly privacy: PrivacyLevel;
  readonly effectivePrivacy: PrivacyLevel;
  readonly state: "LIVE" | "SUPERSEDED" | "RETRACTED";
  readonly supersededBy: number | null;
}

/** Its source is an index in its ledger. */
export interface ModelLine {
  readonly kind:
    | "CONTACT_RECORDED"
    | "CONTACT_RETRACTED"
    | "EXPERIENCE_RECORDED"
    | "STATUS_CHANGED";
  readonly source: number;
  readonly occurredAt: string | null;
  readonly recordedAt: string;
}

/** Common to person and revisions. */
export interface ModelState {
  readonly opinion: string | null;
  readonly importance: number;
  readonly status: Status;
  readonly lastContactAt: string | null;
  readonly archived: boolean;
}

export interface ModelPerson {
  readonly state: ModelState;
  readonly statusBefore: Status | null;
  /** The first one first. */
  readonly revisions: readonly ModelState[];
  readonly moves: readonly (readonly [Status, Status])[];
  readonly contacts: readonly ModelContact[];
  readonly experiences: readonly ModelExperience[];
  readonly evidence: readonly ModelEvidence[];
  readonly lines: readonly ModelLine[];
}

/** `revision` is the expected one; `entry` the index of the controlled entry. */
export type Command =
  | { readonly kind: "patch"; readonly revision: number; readonly set: Partial<ModelState> }
  | { readonly kind: "status"; readonly revision: number; readonly status: Status }
  | { readonly kind: "archive" | "restore"; readonly revision: number }
  | { readonly kind: "contact"; readonly contactedAt: string; readonly privacy: PrivacyLevel }
  | {
    readonly kind: "experience";
    readonly occurredAt: string | null;
    readonly privacy: PrivacyLevel;
  }
  | { readonly kind: "evidence"; readonly privacy: PrivacyLevel }
  | { readonly kind: "retract contact"; readonly entry: number }
  | { readonly kind: "retract evidence"; readonly entry: number }
  | { readonly kind: "reclassify"; readonly entry: number; readonly privacy: PrivacyLevel }
  /** By evidence of the same person, of another one, or missing. */
  | {
    readonly kind: "supersede";
    readonly entry: number;
    readonly by: number | "another's" | "unknown";
  };

/** The response, and the person afterwards. */
export type Prediction =
  | { readonly person: ModelPerson; readonly code: null }
  | { readonly person: ModelPerson; readonly code: ErrorCode };

const LEVELS: readonly PrivacyLevel[] = ["NORMAL", "PRIVATE", "SECRET"];

export function newModel(state: ModelState): ModelPerson {
  const empty = { moves: [], contacts: [], experiences: [], evidence: [], lines: [] };
  return { state, statusBefore: null, revisions: [state], ...empty };
}

/** Predicts for callers with or without access to secrets. */
export function predict(
  person: ModelPerson,
  command: Command,
  seesSecrets: boolean,
  now: string,
): Prediction {
  const { status } = person.state;
  const refuse = (code: ErrorCode): Prediction => ({ person, code });
  if (status === "SEALED") return refuse("RELATIONSHIP_STATUS_CONFLICT");
  if ("revision" in command && command.revision !== person.revisions.length) {
    return refuse("REVISION_CONFLICT");
  }
  const moves = ["status", "archive", "restore"].includes(command.kind);
  if (status === "ARCHIVED" && !moves) return refuse("RELATIONSHIP_STATUS_CONFLICT");
  const done = (next: ModelPerson): Prediction => ({ person: next, code: null });
  switch (command.kind) {
    case "patch": {
      const state = { ...person.state, ...command.set };
      return done(isSame(state, person.state) ? person : revised(person, state));
    }
    case "status":
    case "archive":
    case "restore": {
      const to = targetOf(person, command);
      return to === null ? refuse("RELATIONSHIP_STATUS_CONFLICT") : done(moved(person, to, now));
    }
    case "contact":
      return done(withContact(person, command, now));
    case "retract contact": {
      const contact = person.contacts[command.entry];
      if (contact?.privacy === "SECRET" && !seesSecrets) return refuse("FORBIDDEN");
      if (contact?.isRetracted) return refuse("RELATIONSHIP_ENTRY_CONFLICT");
      return done(retracted(person, command.entry, now));
    }
    case "experience": {
      const { occurredAt, privacy } = command;
      const experiences = [...person.experiences, { occurredAt, privacy }];
      const source = person.experiences.length;
      const line = { kind: "EXPERIENCE_RECORDED", source, occurredAt, recordedAt: now } as const;
      return done({ ...person, experiences, lines: [...person.lines, line] });
    }
    case "evidence": {
      const { privacy } = command;
      const entry = {
        privacy,
        effectivePrivacy: privacy,
        state: "LIVE",
        supersededBy: null,
      } as const;
      return done({ ...person, evidence: [...person.evidence, entry] });
    }
    default: {
      const outcome = controlled(person, command, seesSecrets);
      return typeof outcome === "string" ? refuse(outcome) : done({
        ...person,
        evidence: person.evidence.with(command.entry, outcome),
      });
    }
  }
}

type Control = Extract<Command, { kind: "supersede" | "reclassify" | "retract evidence" }>;

/** Returns the person, or an error code. */
function controlled(
  { evidence }: ModelPerson,
  command: Control,
  seesSecrets: boolean,
): ModelEvidence | ErrorCode {
  const entry = evidence[command.entry] as ModelEvidence;
  if (command.kind === "supersede" && command.by === "unknown") return "RECORD_NOT_FOUND";
  if (entry.effectivePrivacy === "SECRET" && !seesSecrets) return "FORBIDDEN";
  if (command.kind === "reclassify") {
    const [from, to] = [entry.effectivePrivacy, command.privacy].map((one) => LEVELS.indexOf(one));
    return (to ?? 0) < (from ?? 0)
      ? "PRIVACY_DOWNGRADE_FORBIDDEN"
      : { ...entry, effectivePrivacy: command.privacy };
  }
  if (entry.state !== "LIVE") return "RELATIONSHIP_ENTRY_CONFLICT";
  if (command.kind === "retract evidence") return { ...entry, state: "RETRACTED" };
  const { by } = command;
  const fits = typeof by === "number" && by !== command.entry && evidence[by]?.state === "LIVE";
  return fits ? { ...entry, state: "SUPERSEDED", supersededBy: by } : "RELATIONSHIP_ENTRY_CONFLICT";
}

function targetOf({ state, statusBefore }: ModelPerson, command: Command): Status | null {
  const isOpen = state.status === "ACTIVE" || state.status === "PAUSED";
  if (command.kind === "archive") return isOpen ? "ARCHIVED" : null;
  if (command.kind === "restore") return statusBefore;
  if (command.kind !== "status" || command.status === state.status) return null;
  if (command.status === "SEALED") return "SEALED";
  return isOpen && command.status !== "ARCHIVED" ? command.status : null;
}

function revised(person: ModelPerson, state: ModelState): ModelPerson {
  return { ...person, state, revisions: [...person.revisions, state] };
}

function moved(person: ModelPerson, status: Status, now: string): ModelPerson {
  const { state } = person;
  const archived = status === "ARCHIVED" || (status === "SEALED" && state.archived);
  const line = {
    kind: "STATUS_CHANGED",
    source: person.moves.length,
    occurredAt: null,
    recordedAt: now,
  } as const;
  return {
    ...revised(person, { ...state, status, archived }),
    statusBefore: status === "ARCHIVED" ? state.status : null,
    moves: [...person.moves, [state.status, status]],
    lines: [...person.lines, line],
  };
}

/** Derives the last contact. */
function withLastContact(person: ModelPerson): ModelPerson {
  const live = person.contacts.filter(({ isRetracted }) => !isRetracted);
  const lastContactAt = live.map(({ contactedAt }) => contactedAt).sort().at(-1) ?? null;
  return revised(person, { ...person.state, lastContactAt });
}

function withContact(
  person: ModelPerson,
  { contactedAt, privacy }: Extract<Command, { kind: "contact" }>,
  now: string,
): ModelPerson {
  const source = person.contacts.length;
  const line = {
    kind: "CONTACT_RECORDED",
    source,
    occurredAt: contactedAt,
    recordedAt: now,
  } as const;
  return withLastContact({
    ...person,
    contacts: [...person.contacts, { contactedAt, privacy, isRetracted: false }],
    lines: [...person.lines, line],
  });
}

function retracted(person: ModelPerson, source: number, now: string): ModelPerson {
  const contact = person.contacts[source] as ModelContact;
  const line = {
    kind: "CONTACT_RETRACTED",
    source,
    occurredAt: null,
    recordedAt: now,
  } as const;
  return withLastContact({
    ...person,
    contacts: person.contacts.with(source, { ...contact, isRetracted: true }),
    lines: [...person.lines, line],
  });
}

function isSame(one: ModelState, other: ModelState): boolean {
  return Object.entries(one).every(([name, value]) => value === other[name as keyof ModelState]);
}

/** Newest first; times are unique in tests. */
export function timelineOf({ lines }: ModelPerson): readonly ModelLine[] {
  const timeOf = ({ occurredAt, recordedAt }: ModelLine) => occurredAt ?? recordedAt;
  return lines.toSorted((one, other) => timeOf(one) < timeOf(other) ? 1 : -1);
}

export const COMMAND_KINDS = [
  "patch",
  "status",
  "archive",
  "restore",
  "contact",
  "experience",
  "evidence",
  "retract contact",
  "retract evidence",
  "reclassify",
  "supersede",
] as const satisfies readonly Command["kind"][];

export const REFUSALS = [
  "FORBIDDEN",
  "PRIVACY_DOWNGRADE_FORBIDDEN",
  "RECORD_NOT_FOUND",
  "RELATIONSHIP_ENTRY_CONFLICT",
  "RELATIONSHIP_STATUS_CONFLICT",
  "REVISION_CONFLICT",
] as const satisfies readonly ErrorCode[];

/** May be refused, or change nothing. */
export function randomCommand(person: ModelPerson, random: Random): Command {
  const revision = Math.max(1, person.revisions.length + random.pick([0, 0, 0, 0, 0, 0, -1, 1]));
  const privacy = random.pick(LEVELS);
  const time = () => new Date(random.integer(0, 1_700_000_000) * 1000 + random.integer(0, 999));
  const commands: (() => Command)[] = [
    () => ({ kind: "patch", revision, set: randomSet(random) }),
    () => ({ kind: "contact", contactedAt: time().toISOString(), privacy }),
    () => ({ kind: "contact", contactedAt: time().toISOString(), privacy }),
    () => ({
      kind: "experience",
      occurredAt: random.chance(0.6) ? time().toISOString() : null,
      privacy,
    }),
    () => ({ kind: "evidence", privacy }),
    () => ({ kind: "evidence", privacy }),
    () => randomMove(person, revision, random),
    () => randomMove(person, revision, random),
  ];
  if (person.contacts.length > 0) {
    const entry = random.integer(0, person.contacts.length - 1);
    commands.push(() => ({ kind: "retract contact", entry }));
  }
  if (person.evidence.length > 0) {
    const last = person.evidence.length - 1;
    const at = { entry: random.integer(0, last) };
    const by = random.chance(0.8)
      ? random.integer(0, last)
      : random.pick(["another's", "unknown"] as const);
    commands.push(
      () => ({ kind: "supersede", ...at, by }),
      () => ({ kind: "supersede", ...at, by }),
      () => ({ kind: "reclassify", ...at, privacy }),
      () => ({ kind: "retract evidence", ...at }),
    );
  }
  return random.pick(commands)();
}

function randomSet(random: Random): Partial<ModelState> {
  const opinion = random.pick([null, "Kind.", random.text(1, 12)]);
  return random.pick([{ opinion }, { importance: random.integer(1, 5) }]);
}

/** Sealing is final and so rare; archived people are mostly restored. */
function randomMove({ state }: ModelPerson, revision: number, random: Random): Command {
  if (random.chance(0.12)) return { kind: "status", revision, status: "SEALED" };
  const kind = state.status === "ARCHIVED" && random.chance(0.7)
    ? "restore"
    : random.pick(["status", "status", "archive", "restore"] as const);
  if (kind !== "status") return { kind, revision };
  return { kind, revision, status: random.pick(["ACTIVE", "PAUSED", "ARCHIVED"] as const) };
}
