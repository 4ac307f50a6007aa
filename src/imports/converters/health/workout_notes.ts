/** Lines about a workout in the notes of its record. */

import type { HealthElement } from "./health_elements.ts";
import { convertValue, numberOf, type QuantityName, rounded, unitsOf } from "./health_units.ts";

/** The lines of the statistics; old exports state totals instead. */
export function workoutNotes({ statistics, attributes }: HealthElement): readonly string[] {
  const total = (name: string) => [attributes?.get(name), attributes?.get(`${name}Unit`)] as const;
  const sum = (type: string) => {
    const stated = statistics.get(type);
    return [stated?.get("sum"), stated?.get("unit")] as const;
  };
  const distances = [...statistics.keys()].filter((type) => type.startsWith("Distance")).toSorted()
    .flatMap((type) => amountLines("Distance", "distance", ...sum(type)));
  const energy = amountLines("Energy", "energy", ...sum("ActiveEnergyBurned"));
  const rate = statistics.get("HeartRate");
  return [
    ...distances.length > 0
      ? distances
      : amountLines("Distance", "distance", ...total("totalDistance")),
    ...energy.length > 0 ? energy : amountLines("Energy", "energy", ...total("totalEnergyBurned")),
    ...amountLines("Heart rate", "rate", rate?.get("average"), rate?.get("unit")),
  ];
}

/** A line with the default unit of a quantity, else with the written one; none without a number. */
function amountLines(
  name: string,
  quantity: QuantityName,
  text = "",
  unit = "",
): readonly string[] {
  const number = numberOf(text);
  if (number === null) return [];
  const [shown = ""] = unitsOf(quantity);
  const converted = convertValue(number, unit, quantity, shown);
  if (converted === null) return [`${name}: ${number} ${unit}`.trimEnd()];
  const amount = converted.isComputed ? rounded(converted.value) : number;
  return [`${name}: ${amount}${quantity === "rate" ? "" : ` ${shown}`}`];
}
