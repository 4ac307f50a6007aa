/** English: home, search, print and keys. */
export default {
  captureLabel: "What is on your mind?",
  captureHint: "Enter keeps it; Shift and Enter begin a new line.",
  captureTitle: "Note of {time}",
  due: "Due",
  looking: "Looking…",
  nothingDue: "Nothing is due.",
  overdueSince: "overdue: {when}",
  oneMore: "One more",
  manyMore: "{count} more",
  oneOpenDraft: "One thing is not yet kept",
  openDrafts: "{count} things are not yet kept",
};
