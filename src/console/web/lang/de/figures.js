export default {
  usualRange: "Üblicher Bereich",
  usualDays: "Meist {low} bis {high}, an 4 von 5 Tagen des letzten Jahres.",
  usualWeeks: "Meist {low} bis {high}, in 4 von 5 Wochen des letzten Jahres.",
  usualMonths: "Meist {low} bis {high}, in 4 von 5 Monaten des letzten Jahres.",
  squaresText: "Ein volleres Quadrat bedeutet einen höheren Wert.",
};
