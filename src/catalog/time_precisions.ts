/** How precisely a person knows when something happened, from the exact moment to not at all. */
export const TIME_PRECISIONS = [
  "EXACT",
  "DAY",
  "MONTH",
  "SEASON",
  "YEAR",
  "DECADE",
  "LIFE_PERIOD",
  "UNKNOWN",
] as const;
