/** English words of the calendar, in lower case. Months and weekdays count when written out. */
export const CALENDAR_EN = {
  months: {
    january: 1,
    february: 2,
    march: 3,
    april: 4,
    may: 5,
    june: 6,
    july: 7,
    august: 8,
    september: 9,
    october: 10,
    november: 11,
    december: 12,
  },
  /** As `Date` numbers them. */
  weekdays: {
    sunday: 0,
    monday: 1,
    tuesday: 2,
    wednesday: 3,
    thursday: 4,
    friday: 5,
    saturday: 6,
  },
  /** As the form of a memory numbers them. */
  seasons: { winter: 0, spring: 1, summer: 2, autumn: 3, fall: 3 },
};
