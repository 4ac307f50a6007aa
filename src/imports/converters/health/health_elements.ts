/** The elements of an export of Apple Health that are values, or are counted. */

import { entryBytes, type ReadingBudget } from "../../reading_budget.ts";
import { knownZone } from "../../../core/zones.ts";
import { ownText } from "../apps/clean_text.ts";
import type { XmlPart } from "../markup/xml_reader.ts";
import { typeName, WORKOUT } from "./health_types.ts";

type Attributes = ReadonlyMap<string, string>;

/** A record, a workout, or another element that is only counted. Its texts are borrowed. */
export interface HealthElement {
  /** `StepCount`, `Workout`, or the name of another element. */
  readonly type: string;
  /** Null for an element that is only counted. */
  readonly attributes: Attributes | null;
  /** The known zone in which it was measured; null if it states none. */
  readonly zone: string | null;
  /** The statistics of a workout, by their types. */
  readonly statistics: ReadonlyMap<string, Attributes>;
  /** True inside a correlation: an equal record stands outside of it, and is counted. */
  readonly isInner: boolean;
}

interface OpenElement {
  readonly type: string;
  readonly attributes: Attributes;
  zone: string | null;
  statistics: Map<string, Attributes> | null;
  hasTrack: boolean;
}

/** Maximum statistics of a workout; further ones are ignored. */
const MAX_STATISTICS = 100;
/** The depths of the elements of the root, and of those of a correlation. */
const TOP = 2;
const INNER = 3;
const NO_STATISTICS: HealthElement["statistics"] = new Map();
/** All of its values are records inside it. */
const PRESSURES = "HKCorrelationTypeIdentifierBloodPressure";

/** Finds the elements among the parts of a file. */
export class ElementReader {
  readonly #types = new Map<string, string>();
  readonly #zones = new Map<string, string | null>();
  readonly #budget: ReadingBudget;
  #depth = 0;
  /** The record or workout that is read, and its depth. */
  #open: OpenElement | null = null;
  #openDepth = 0;
  #isInCorrelation = false;

  constructor(budget: ReadingBudget) {
    this.#budget = budget;
  }

  /** The elements that end in the parts. */
  read(parts: readonly XmlPart[]): readonly HealthElement[] {
    const elements: HealthElement[] = [];
    for (const part of parts) {
      if (part.kind === "start") {
        this.#depth++;
        const counted = this.#start(part.name, part.attributes);
        if (counted !== null) elements.push(countedElement(counted));
      } else if (part.kind === "end") {
        if (this.#open !== null && this.#depth === this.#openDepth) {
          const { type, attributes, zone, statistics } = this.#open;
          const isInner = this.#depth === INNER;
          elements.push({
            type,
            attributes,
            zone,
            statistics: statistics ?? NO_STATISTICS,
            isInner,
          });
          this.#open = null;
        }
        this.#depth--;
      }
    }
    return elements;
  }

  /** Returns the name of an element that is only counted. */
  #start(name: string, attributes: Attributes): string | null {
    if (this.#open !== null) return this.#startInside(this.#open, name, attributes);
    const isTop = this.#depth === TOP;
    if (isTop) this.#isInCorrelation = name === "Correlation";
    if (!isTop && !(this.#depth === INNER && this.#isInCorrelation)) return null;
    if (name === "Record" || name === WORKOUT) {
      const type = name === WORKOUT ? WORKOUT : this.#typeOf(attributes.get("type") ?? "");
      this.#open = { type, attributes, zone: null, statistics: null, hasTrack: false };
      this.#openDepth = this.#depth;
      return null;
    }
    if (!isTop || name === "ExportDate") return null;
    const type = attributes.get("type") ?? "";
    if (!this.#isInCorrelation) return name;
    return type === PRESSURES ? null : this.#typeOf(type);
  }

  /** The track of a route, which old exports have inside, is counted once. */
  #startInside(open: OpenElement, name: string, attributes: Attributes): string | null {
    if (name === "Location" && !open.hasTrack) {
      open.hasTrack = true;
      return "WorkoutRoute";
    }
    if (this.#depth !== this.#openDepth + 1) return null;
    if (name === "MetadataEntry" && attributes.get("key") === "HKTimeZone") {
      open.zone = this.#zoneOf(attributes.get("value") ?? "");
    } else if (name === "WorkoutStatistics") {
      open.statistics ??= new Map();
      const type = this.#typeOf(attributes.get("type") ?? "");
      if (open.statistics.size < MAX_STATISTICS) open.statistics.set(type, attributes);
    }
    return null;
  }

  #typeOf(identifier: string): string {
    const known = this.#types.get(identifier);
    if (known !== undefined) return known;
    this.#budget.hold(2 * entryBytes(identifier), 0);
    const type = ownText(typeName(identifier));
    this.#types.set(ownText(identifier), type);
    return type;
  }

  #zoneOf(name: string): string | null {
    const known = this.#zones.get(name);
    if (known !== undefined) return known;
    this.#budget.hold(2 * entryBytes(name), 0);
    const zone = knownZone(name);
    this.#zones.set(ownText(name), zone === null ? null : ownText(zone));
    return zone;
  }
}

function countedElement(type: string): HealthElement {
  return { type, attributes: null, zone: null, statistics: NO_STATISTICS, isInner: false };
}
