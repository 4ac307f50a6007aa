/** From the exact time to unknown. */
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
