/** German words of the calendar, in lower case. Months and weekdays count when written out. */
export const CALENDAR_DE = {
  months: {
    januar: 1,
    jänner: 1,
    februar: 2,
    märz: 3,
    april: 4,
    mai: 5,
    juni: 6,
    juli: 7,
    august: 8,
    september: 9,
    oktober: 10,
    november: 11,
    dezember: 12,
  },
  /** As `Date` numbers them. */
  weekdays: {
    sonntag: 0,
    montag: 1,
    dienstag: 2,
    mittwoch: 3,
    donnerstag: 4,
    freitag: 5,
    samstag: 6,
    sonnabend: 6,
  },
  /** As the form of a memory numbers them. */
  seasons: { winter: 0, frühling: 1, frühjahr: 1, sommer: 2, herbst: 3 },
};
