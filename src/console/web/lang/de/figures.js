export default {
  usualRange: "Üblicher Bereich",
  usualDays: "Meist {low} bis {high}, an 4 von 5 Tagen des letzten Jahres.",
  usualWeeks: "Meist {low} bis {high}, in 4 von 5 Wochen des letzten Jahres.",
  usualMonths: "Meist {low} bis {high}, in 4 von 5 Monaten des letzten Jahres.",
  pressure: "Blutdruck",
  rangeText: "Die Fläche um die Linie reicht vom niedrigsten bis zum höchsten Wert.",
  squaresText: "Ein dunkleres und volleres Quadrat bedeutet einen höheren Wert.",
  lastWeeks: "Letzte 12 Wochen",
  presentWeek: "diese Woche",
  ofWeeks: "{count} von {all}",
  aRoutine: "Routine",
  weeksDone: "Wochen",
  timesByWeek: "Wie oft je Woche",
  weekSquaresText:
    "Ein Quadrat je Woche, die älteste zuerst. Es ist voll, wenn du die Routine so oft wie geplant erledigt hast. Die Zahl zählt die Wochen, in denen du sie mindestens einmal erledigt hast.",
  routineCut: "{name}: Nur die neuesten 400 Änderungen wurden gezählt.",
};
