import type { SampleDecision } from "../sample.ts";

/** The decisions of the sample life. */
export const DEMO_DECISIONS: readonly SampleDecision[] = [
  {
    name: "The offer from Hamburg",
    decision: ({ ago }) => ({
      question: "Do I take the offer from Hamburg, or do I stay with the old department?",
      options: { items: ["Take it and move", "Take it and commute", "Stay"] },
      reviewAt: ago(30),
    }),
    analyses: [
      () => ({
        criteria: [
          { name: "Time with the children", weight: 5 },
          { name: "The work itself", weight: 3 },
          { name: "Money", weight: 1.5 },
        ],
        scores: {
          "Take it and move": { "Time with the children": 5, "The work itself": 9, "Money": 8 },
          "Take it and commute": { "Time with the children": 2, "The work itself": 9, "Money": 6 },
          "Stay": { "Time with the children": 8, "The work itself": 5, "Money": 5 },
        },
      }),
    ],
    counterfactuals: [
      () => ({
        option: "Take it and commute",
        narrative:
          "Four hours on the train, three days a week. I would have read everything I own by now, and " +
          "missed most of the suppers.",
        confidence: 0.7,
      }),
      () => ({
        option: "Take it and move",
        narrative: "Lena in a new school in the middle of the year, and no allotment.",
        expectedValue: 9_000,
        confidence: 0.4,
      }),
    ],
    changes: [
      ({ ago }) => ({
        chosenOption: "Stay",
        rationale:
          "I asked the question that I always ask: what would I have to pretend not to know? That the " +
          "children's years do not come back.",
        prediction: "The old department will bore me by the second winter.",
        decidedAt: ago(400),
      }),
      () => ({
        actualOutcome: "It bored me by the first spring, and I asked for 32 hours. They said yes.",
      }),
    ],
    predictions: [
      {
        prediction: ({ ago }) => ({
          statement: "By the next summer I have looked at other offers.",
          probability: 0.6,
          dueAt: ago(150),
        }),
        outcome: ({ ago }) => ({
          occurred: false,
          description: "Not one. I had the tree to plant.",
          observedAt: ago(150, 20),
          satisfaction: 4,
        }),
      },
      {
        prediction: ({ ago }) => ({
          statement: "The old department agrees to fewer hours within a year.",
          probability: 0.3,
          dueAt: ago(40),
        }),
        outcome: ({ ago }) => ({
          occurred: true,
          description: "Agreed over coffee, in ten minutes.",
          observedAt: ago(120),
          satisfaction: 5,
        }),
      },
      {
        prediction: ({ ahead }) => ({
          statement: "In five years I still call it the right decision.",
          probability: 0.85,
          dueAt: ahead(1_400),
        }),
      },
    ],
  },
  {
    name: "The old car",
    decision: ({ ahead }) => ({
      question: "What do we do about the car, now that it fails its inspection again?",
      options: { items: ["Repair it once more", "Buy a used one", "Do without"] },
      reviewAt: ahead(21),
    }),
    analyses: [
      () => ({
        criteria: [
          { name: "Cost", weight: 2 },
          { name: "Grandmother's village", weight: 1 },
          { name: "Peace of mind", weight: 2 },
        ],
        scores: {
          "Repair it once more": { "Cost": 6, "Grandmother's village": 8, "Peace of mind": 3 },
          "Buy a used one": { "Cost": 3, "Grandmother's village": 9, "Peace of mind": 7 },
          "Do without": { "Cost": 9, "Grandmother's village": 3, "Peace of mind": 8 },
        },
      }),
    ],
    simulations: [
      () => ({
        seed: 1987,
        runs: 5_000,
        options: [
          {
            option: "Repair it once more",
            factors: [
              {
                name: "Repairs of the next two years",
                weight: -1,
                distribution: "TRIANGULAR",
                minimum: 800,
                mode: 1_500,
                maximum: 5_200,
              },
              {
                name: "Fuel",
                weight: -1,
                distribution: "NORMAL",
                mean: 2_600,
                standardDeviation: 300,
              },
            ],
          },
          {
            option: "Do without",
            factors: [
              {
                name: "Trains and taxis",
                weight: -1,
                distribution: "NORMAL",
                mean: 3_400,
                standardDeviation: 500,
              },
              {
                name: "Hired cars",
                weight: -1,
                distribution: "UNIFORM",
                minimum: 300,
                maximum: 1_400,
              },
            ],
          },
        ],
      }),
    ],
    predictions: [
      {
        prediction: ({ ahead }) => ({
          statement: "We have sold the car by the end of next month.",
          probability: 0.55,
          dueAt: ahead(45),
        }),
      },
    ],
  },
  {
    name: "The half marathon",
    decision: ({ ago }) => ({
      question: "Do I run with the sore knee, or put the race off?",
      options: { items: ["Run anyway", "Put it off"] },
      chosenOption: "Put it off",
      rationale: "It is a run. There will be others.",
      decidedAt: ago(20),
    }),
    predictions: [
      {
        prediction: ({ ago }) => ({
          statement: "The knee is quiet after two weeks of swimming.",
          probability: 0.8,
          dueAt: ago(5),
        }),
        outcome: ({ ago }) => ({
          occurred: true,
          description: "Ten kilometres on Sunday without a word from it.",
          observedAt: ago(4, 11),
        }),
      },
    ],
    outcomes: [
      ({ ago }) => ({
        occurred: true,
        description: "The Tuesday choir got me back, whose evenings the long runs had eaten.",
        observedAt: ago(3, 21),
        satisfaction: 5,
      }),
    ],
  },
  {
    name: "A dog",
    decision: () => ({
      question: "Do we get the dog that Jonas has drawn every day since March?",
      options: { items: ["Yes", "Not before he can walk it alone", "No"] },
    }),
    changes: [({ ago }) => ({
      chosenOption: "Not before he can walk it alone",
      decidedAt: ago(210, 19),
    })],
    archived: true,
  },
];
