/** German words of the calendar. Months and weekdays count when written out. */
export const CALENDAR_DE = {
  months: [
    ..."januar februar märz april mai juni".split(" "),
    ..."juli august september oktober november dezember".split(" "),
  ],
  weekdays: "sonntag montag dienstag mittwoch donnerstag freitag samstag".split(" "),
  /** As the form of a memory numbers them. */
  seasons: { winter: 0, frühling: 1, frühjahr: 1, sommer: 2, herbst: 3 },
};
