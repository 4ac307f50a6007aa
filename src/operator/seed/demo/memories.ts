import type { SampleMemory } from "../sample.ts";

/** The memories of the sample life. */
export const DEMO_MEMORIES: readonly SampleMemory[] = [
  () => ({
    title: "The frozen lake",
    summary: "Skating with my father before school",
    memoryType: "PLACE",
    originalContent:
      "He woke me while it was dark. The ice sang under us, a long low note that came from the far " +
      "shore. He said it was the lake turning over in its sleep.",
    timePrecision: "LIFE_PERIOD",
    timeText: "When I was about seven",
    importance: 5,
    privacyLevel: "PRIVATE",
  }),
  ({ ago }) => ({
    title: "The day Lena was born",
    memoryType: "EVENT",
    originalContent:
      "Rain against the window all night, and at twenty past five it stopped. She looked at me as if " +
      "she had been told about me and was checking.",
    occurredAt: ago(3_100, 5),
    timePrecision: "DAY",
    importance: 5,
    privacyLevel: "PRIVATE",
  }),
  () => ({
    title: "Grandmother's kitchen",
    memoryType: "PERSON",
    originalContent:
      "The radio on the window sill, the plum cake under its cloth. She let me press the plums in and " +
      "then, when I was not looking, straightened every row.",
    timePrecision: "DECADE",
    timeText: "The eighties",
    importance: 4,
    privacyLevel: "NORMAL",
  }),
  ({ ago }) => ({
    title: "What the failed launch taught me",
    memoryType: "LESSON",
    originalContent:
      "We had known for six weeks and nobody wanted to be the first to say so. Since then I ask, at the " +
      "end of every meeting, what we are all pretending not to know.",
    occurredAt: ago(1_460),
    timePrecision: "MONTH",
    importance: 4,
  }),
  ({ ago }) => ({
    title: "A dream of the old house",
    memoryType: "DREAM",
    originalContent:
      "I walked through the house in Mill Street and found a room behind the pantry that had always " +
      "been there. It was full of afternoon light and somebody had just left it.",
    occurredAt: ago(12, 4),
    timePrecision: "DAY",
    importance: 2,
  }),
  () => ({
    title: "What I never told my brother",
    memoryType: "FEELING",
    originalContent:
      "That I heard him that night, through the wall, and did not go in. I was fourteen and did not " +
      "know what to say, and I have been looking for the words since.",
    timePrecision: "UNKNOWN",
    importance: 4,
    privacyLevel: "SECRET",
  }),
];
