/** English: questions before text is discarded. */
export default {
  discardQuestion: "Discard what you have written?",
  discardNow: "Discard it",
  oneFieldLost: "You have written in one field. Its words are kept nowhere else.",
  manyFieldsLost: "You have written in {count} fields. Their words are kept nowhere else.",
  queuedWriteLost: "The service does not have it. Its words are kept nowhere else.",
  leaveQuestion: "Leave without what you have written?",
  leave: "Leave without it",
  oneUnsavedForm: "What you have written in one form is kept nowhere yet.",
  manyUnsavedForms: "What you have written in {count} forms is kept nowhere yet.",
  signOutQuestion: "Sign out, and lose what is not kept?",
  signOutNow: "Sign out and lose it",
  oneUnsyncedLost:
    "One thing that you have written stands in this browser alone. Signing out removes it from there.",
  manyUnsyncedLost:
    "{count} things that you have written stand in this browser alone. Signing out removes them from there.",
  noRoom: "This browser has no room for it.",
};
