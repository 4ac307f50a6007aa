export default {
  usualRange: "Usual range",
  usualDays: "Usually {low} to {high}, on 4 of 5 days of the last year.",
  usualWeeks: "Usually {low} to {high}, in 4 of 5 weeks of the last year.",
  usualMonths: "Usually {low} to {high}, in 4 of 5 months of the last year.",
  squaresText: "A fuller square means a higher value.",
};
