export default {
  usualRange: "Usual range",
  usualDays: "Usually {low} to {high}, on 4 of 5 days of the last year.",
  usualWeeks: "Usually {low} to {high}, in 4 of 5 weeks of the last year.",
  usualMonths: "Usually {low} to {high}, in 4 of 5 months of the last year.",
  pressure: "Blood pressure",
  rangeText: "The area around the line is from the lowest to the highest value.",
  squaresText: "A darker and fuller square means a higher value.",
  lastWeeks: "Last 12 weeks",
  presentWeek: "this week",
  ofWeeks: "{count} of {all}",
  aRoutine: "Routine",
  weeksDone: "Weeks",
  timesByWeek: "Times each week",
  weekSquaresText:
    "A square for each week, oldest first. It is full if you did the routine as often as planned. The number counts the weeks in which you did it at least once.",
  routineCut: "{name}: only its newest 400 changes were counted.",
};
