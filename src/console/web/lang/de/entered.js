export default {
  readAs: "Verstanden als {value}",
  numberNotRead: "Das ist keine Zahl. Schreib sie wie 74,3.",
  shareHint: "In Prozent, zum Beispiel 70.",
  shareNotRead: "Das ist keine Prozentzahl. Schreib sie wie 70 % oder 0,7.",
  dateNotRead: "Das ist kein Datum. Schreib es wie 12.3.1988, 12. März oder 1988.",
  dayMissing: "Zum Monat gehört ein Tag, wie in 12. März 1988. Ein Jahr kann allein stehen.",
  noSuchDay: "Diesen Tag gibt es nicht.",
};
