/** English words of the calendar. Months and weekdays count when written out. */
export const CALENDAR_EN = {
  months: [
    ..."january february march april may june".split(" "),
    ..."july august september october november december".split(" "),
  ],
  weekdays: "sunday monday tuesday wednesday thursday friday saturday".split(" "),
  /** As the form of a memory numbers them. */
  seasons: { winter: 0, spring: 1, summer: 2, autumn: 3, fall: 3 },
};
