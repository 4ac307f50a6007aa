/** RES-007: utilisation of each resource, and its state. */

import { fromMillionths, millionthsOfQuotient } from "../../core/millionths.ts";

export const OVERLOAD_STATES = ["OVERLOADED", "WARNING", "NORMAL", "UNKNOWN"] as const;

type OverloadState = (typeof OVERLOAD_STATES)[number];

/** Utilisations from which a state begins. */
export interface Thresholds {
  readonly warningFrom: number;
  /** Not less than `warningFrom`. */
  readonly overloadedFrom: number;
}

export interface AnalysedResource {
  readonly resource_id: string;
  readonly revision: number;
  readonly capacity: number | null;
  /** Not more than the capacity. */
  readonly available: number | null;
}

export interface OverloadItem {
  readonly resourceId: string;
  readonly resourceRevision: number;
  /** Used part of the capacity, with six decimals; null if unknown. */
  readonly utilisation: number | null;
  readonly state: OverloadState;
}

export interface OverloadAnalysis extends Thresholds {
  readonly counts: Readonly<Record<Lowercase<OverloadState>, number>>;
  /** Highest utilisation first, then by identifier; UNKNOWN last. */
  readonly items: readonly OverloadItem[];
}

export function analyseOverload(
  resources: readonly AnalysedResource[],
  thresholds: Thresholds,
): OverloadAnalysis {
  const items = resources.map((resource) => toItem(resource, thresholds)).sort(compareItems);
  const count = (state: OverloadState) => items.filter((item) => item.state === state).length;
  return {
    warningFrom: thresholds.warningFrom,
    overloadedFrom: thresholds.overloadedFrom,
    counts: {
      overloaded: count("OVERLOADED"),
      warning: count("WARNING"),
      normal: count("NORMAL"),
      unknown: count("UNKNOWN"),
    },
    items,
  };
}

function toItem(resource: AnalysedResource, thresholds: Thresholds): OverloadItem {
  const utilisation = utilisationOf(resource);
  return {
    resourceId: resource.resource_id,
    resourceRevision: resource.revision,
    utilisation,
    state: stateOf(utilisation, thresholds),
  };
}

/**
 * 1 − available / capacity, rounded half up to six decimals. Null if a figure is missing or the
 * capacity is zero. A capacity near zero can make it infinite: it is then the largest number.
 */
export function utilisationOf(
  { capacity, available }: Pick<AnalysedResource, "capacity" | "available">,
): number | null {
  if (capacity === null || available === null || capacity === 0) return null;
  const utilisation = fromMillionths(1_000_000n + millionthsOfQuotient(-available, capacity));
  return Math.min(utilisation, Number.MAX_VALUE);
}

/** `utilisation` is rounded already. */
function stateOf(
  utilisation: number | null,
  { warningFrom, overloadedFrom }: Thresholds,
): OverloadState {
  if (utilisation === null) return "UNKNOWN";
  if (utilisation >= overloadedFrom) return "OVERLOADED";
  return utilisation >= warningFrom ? "WARNING" : "NORMAL";
}

/** Utilisation is never negative, because available never exceeds the capacity. */
function compareItems(one: OverloadItem, other: OverloadItem): number {
  const byUtilisation = (other.utilisation ?? -1) - (one.utilisation ?? -1);
  return byUtilisation || (one.resourceId < other.resourceId ? -1 : 1);
}
