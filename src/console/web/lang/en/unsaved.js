/** English: questions before text is discarded. */
export default {
  discardQuestion: "Discard your text?",
  discardNow: "Discard text",
  oneFieldLost: "One field has unsaved text. It exists nowhere else.",
  manyFieldsLost: "{count} fields have unsaved text. It exists nowhere else.",
  queuedWriteLost: "The service doesn't have this text. It exists nowhere else.",
  leaveQuestion: "Leave without saving?",
  leave: "Leave without saving",
  oneUnsavedForm: "One form has unsaved text.",
  manyUnsavedForms: "{count} forms have unsaved text.",
  signOutQuestion: "Sign out and lose unsaved text?",
  signOutNow: "Sign out anyway",
  oneUnsyncedLost: "1 unsaved item exists only in this browser. Signing out deletes it.",
  manyUnsyncedLost: "{count} unsaved items exist only in this browser. Signing out deletes them.",
  noRoom: "This browser's storage is full. Send or discard other items first.",
};
