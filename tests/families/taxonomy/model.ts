/**
 * A model of an owner's taxonomy by the contract, without SQL or HTTP. Terms and records are
 * indexes; names are plain letters, compared without case.
 */

import type { ErrorCode } from "../../../src/errors/codes.ts";
import type { TermType } from "../../../src/families/taxonomy/term.ts";
import type { Random } from "../../support/random.ts";

export interface ModelTerm {
  readonly kind: TermType;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly parent: number | null;
  readonly active: boolean;
  readonly mergedInto: number | null;
}

/** A term with its history and its records. */
export interface KnownTerm {
  readonly term: ModelTerm;
  /** The change, and the term after it. */
  readonly revisions: readonly (readonly [change: string, term: ModelTerm])[];
  readonly records: ReadonlySet<number>;
}

/** Oldest first. */
export type Model = readonly KnownTerm[];

/** `revision` is the expected one. */
export type Command =
  | {
    readonly kind: "create";
    readonly term: Pick<ModelTerm, "kind" | "name" | "aliases">;
    readonly parent: number | null;
  }
  | {
    readonly kind: "patch";
    readonly at: number;
    readonly revision: number;
    readonly aliases: readonly string[];
  }
  | {
    readonly kind: "rename";
    readonly at: number;
    readonly revision: number;
    readonly name: string;
    readonly keepAlias: boolean;
  }
  | {
    readonly kind: "move";
    readonly at: number;
    readonly revision: number;
    readonly parent: number | null;
  }
  | {
    readonly kind: "deactivate" | "reactivate";
    readonly at: number;
    readonly revision: number | null;
  }
  | {
    readonly kind: "merge";
    readonly at: number;
    readonly revision: number;
    readonly into: number;
  }
  | { readonly kind: "assign" | "remove"; readonly at: number; readonly record: number };

/** The terms afterwards, or the error code. */
export type Prediction = Model | ErrorCode;

function same(name: string): string {
  return name.toLowerCase();
}

function namesOf({ name, aliases, mergedInto }: ModelTerm): readonly string[] {
  return mergedInto === null ? [name, ...aliases] : [];
}

export function predict(model: Model, command: Command): Prediction {
  if (command.kind === "create") return create(model, command);
  const known = model[command.at] as KnownTerm;
  const { term, revisions, records } = known;
  if ("record" in command) {
    if (command.kind === "assign" && !term.active) return "TAXONOMY_STATE_CONFLICT";
    const carried = new Set(records);
    if (command.kind === "assign") carried.add(command.record);
    else carried.delete(command.record);
    return model.with(command.at, { ...known, records: carried });
  }
  if (command.kind === "merge" && model[command.into]?.term.kind !== "TAG") {
    return "RECORD_NOT_FOUND";
  }
  const { revision } = command;
  if (revision !== null && revision !== revisions.length) return "REVISION_CONFLICT";
  switch (command.kind) {
    case "deactivate":
    case "reactivate":
      return turn(model, command.at, command.kind === "reactivate");
    case "merge":
      return merge(model, command.at, command.into);
  }
  if (!term.active) return "TAXONOMY_STATE_CONFLICT";
  switch (command.kind) {
    case "patch": {
      const { aliases } = command;
      if (aliases.map(same).includes(same(term.name))) return "PAYLOAD_INVALID";
      return name(model, command.at, "CHANGED", { ...term, aliases });
    }
    case "rename":
      return name(model, command.at, "RENAMED", renamed(term, command.name, command.keepAlias));
    case "move":
      return move(model, command.at, command.parent);
  }
}

function create(model: Model, { term, parent }: Command & { kind: "create" }): Prediction {
  const made: ModelTerm = { ...term, parent, active: true, mergedInto: null };
  const known = { term: made, revisions: [["CREATED", made]] as const, records: new Set<number>() };
  return placeRefusal(model, null, parent) ?? nameRefusal(model, model.length, made) ??
    [...model, known];
}

/** Adds a revision, unless nothing changes. */
function revised(model: Model, at: number, change: string, next: ModelTerm): Model {
  const known = model[at] as KnownTerm;
  if (JSON.stringify(next) === JSON.stringify(known.term)) return model;
  const revisions = [...known.revisions, [change, next] as const];
  return model.with(at, { ...known, term: next, revisions });
}

function name(model: Model, at: number, change: string, next: ModelTerm): Prediction {
  return nameRefusal(model, at, next) ?? revised(model, at, change, next);
}

function renamed(term: ModelTerm, name: string, keepAlias: boolean): ModelTerm {
  const others = term.aliases.filter((alias) => same(alias) !== same(name));
  const keeps = keepAlias && same(term.name) !== same(name);
  return { ...term, name, aliases: keeps ? [...others, term.name] : others };
}

function nameRefusal(model: Model, at: number, next: ModelTerm): ErrorCode | undefined {
  const taken = model.filter((_, other) => other !== at)
    .filter(({ term }) => term.kind === next.kind)
    .flatMap(({ term }) => namesOf(term).map(same));
  return namesOf(next).some((name) => taken.includes(same(name)))
    ? `TAXONOMY_${next.kind}_NAME_CONFLICT`
    : undefined;
}

/** The category and its ancestors. */
function upFrom(model: Model, at: number | null): readonly number[] {
  return at === null ? [] : [at, ...upFrom(model, model[at]?.term.parent ?? null)];
}

/** 1 at the top. */
export function levelOf(model: Model, at: number): number {
  return upFrom(model, at).length;
}

function placeRefusal(
  model: Model,
  at: number | null,
  parent: number | null,
): ErrorCode | undefined {
  if (parent === null) return undefined;
  const known = model[parent];
  if (known?.term.kind !== "CATEGORY" || !known.term.active) {
    return "TAXONOMY_CATEGORY_PARENT_INVALID";
  }
  const above = upFrom(model, parent);
  if (at !== null && above.includes(at)) return "TAXONOMY_CATEGORY_CYCLE";
  const depths = model.map((_, other) => upFrom(model, other))
    .filter((up) => at !== null && up.includes(at))
    .map((up) => up.length - levelOf(model, at ?? 0) + 1);
  const height = Math.max(1, ...depths);
  return above.length + height > 8 ? "TAXONOMY_CATEGORY_DEPTH_EXCEEDED" : undefined;
}

function move(model: Model, at: number, parent: number | null): Prediction {
  const { term } = model[at] as KnownTerm;
  if (term.parent === parent) return model;
  return placeRefusal(model, at, parent) ?? revised(model, at, "MOVED", { ...term, parent });
}

function turn(model: Model, at: number, active: boolean): Prediction {
  const { term } = model[at] as KnownTerm;
  if (term.active === active) return model;
  if (active && term.mergedInto !== null) return "TAXONOMY_STATE_CONFLICT";
  if (active && term.parent !== null && !model[term.parent]?.term.active) {
    return "TAXONOMY_CATEGORY_PARENT_INVALID";
  }
  const hasActiveChild = model.some(({ term }) => term.parent === at && term.active);
  if (!active && hasActiveChild) return "TAXONOMY_STATE_CONFLICT";
  return revised(model, at, active ? "REACTIVATED" : "DEACTIVATED", { ...term, active });
}

function merge(model: Model, at: number, into: number): Prediction {
  const [source, target] = [model[at], model[into]] as [KnownTerm, KnownTerm];
  if (at === into || source.term.mergedInto !== null || !target.term.active) {
    return "TAXONOMY_STATE_CONFLICT";
  }
  const aliases = [...target.term.aliases, ...namesOf(source.term)];
  const ended = { ...source.term, active: false, mergedInto: into };
  const merged = revised(
    revised(model, at, "MERGED", ended),
    into,
    "CHANGED",
    { ...target.term, aliases },
  );
  const records = source.records.union(target.records);
  return merged.with(at, { ...merged[at] as KnownTerm, records: new Set() })
    .with(into, { ...merged[into] as KnownTerm, records });
}

/** Available for terms. */
export const RECORDS = 4;

const NAMES = [..."abcdefghijklmnopqrstuvwxyz"].map((letter) => `Name ${letter}`);

/** Usually chooses a command that can succeed. */
export function randomCommand(random: Random, model: Model): Command {
  return model.length < 14 || random.chance(0.15)
    ? randomCreation(random, model)
    : randomChange(random, model);
}

function randomCreation(random: Random, model: Model): Command {
  const kind = random.pick(["TAG", "CATEGORY", "CATEGORY"] as const);
  const name = random.chance(0.7) ? `Term ${model.length}` : randomName(random);
  const aliases = randomAliases(random, 2).filter((alias) => same(alias) !== same(name));
  // Tags have no parent.
  const parent = kind === "TAG" ? null : randomParent(random, model);
  return { kind: "create", term: { kind, name, aliases }, parent };
}

function randomChange(random: Random, model: Model): Command {
  const at = random.integer(0, model.length - 1);
  const { term, revisions: { length } } = model[at] as KnownTerm;
  const revision = random.chance(0.1) ? random.integer(1, length + 1) : length;
  const choice = random.next();
  if (choice < 0.1) {
    const own = random.chance(0.1) ? [term.name] : [];
    return { kind: "patch", at, revision, aliases: [...randomAliases(random, 3), ...own] };
  }
  if (choice < 0.25) {
    return {
      kind: "rename",
      at,
      revision,
      name: randomName(random),
      keepAlias: random.chance(0.5),
    };
  }
  if (choice < 0.45 && term.kind === "CATEGORY") {
    return { kind: "move", at, revision, parent: randomParent(random, model) };
  }
  if (choice < 0.45) {
    const tags = model.flatMap(({ term }, at) => term.kind === "TAG" && term.active ? [at] : []);
    const into = random.chance(0.2)
      ? at
      : random.pick([...tags, random.integer(0, model.length - 1)]);
    return { kind: "merge", at, revision, into };
  }
  if (choice < 0.7) {
    const kind = random.pick(["deactivate", "reactivate", "reactivate"] as const);
    return { kind, at, revision: random.chance(0.5) ? revision : null };
  }
  const kind = random.chance(0.75) ? "assign" : "remove";
  return { kind, at, record: random.integer(0, RECORDS - 1) };
}

function randomName(random: Random): string {
  return random.pick([String, same])(random.pick(NAMES));
}

function randomAliases(random: Random, most: number): string[] {
  const names = Array.from({ length: random.integer(0, most) }, () => random.pick(NAMES));
  return [...new Set(names)];
}

function randomParent(random: Random, model: Model): number | null {
  const active = model
    .flatMap(({ term }, at) => term.kind === "CATEGORY" && term.active ? [at] : [])
    .toSorted((one, other) => levelOf(model, other) - levelOf(model, one));
  if (random.chance(0.1) || active.length === 0) return null;
  if (random.chance(0.1)) return random.integer(0, model.length - 1);
  // Often the deepest one, to reach the ninth level.
  return random.chance(0.7) ? active[0] ?? null : random.pick(active);
}
