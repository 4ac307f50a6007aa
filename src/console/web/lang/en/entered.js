export default {
  readAs: "Understood as {value}",
  numberNotRead: "This is not a number. Write it like 74.3.",
  shareHint: "A percentage, such as 70.",
  shareNotRead: "This is not a percentage. Write it like 70 %, or 0.7.",
  dateNotRead: "This is not a date. Write it like 12 March 1988, 12 March or 1988.",
  dayMissing: "A month needs a day, such as 12 March 1988. A year can stand alone.",
  noSuchDay: "This day does not exist.",
};
