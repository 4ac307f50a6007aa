/** German: questions before text is discarded. */
export default {
  discardQuestion: "Verwerfen, was du geschrieben hast?",
  discardNow: "Ja, verwerfen",
  oneFieldLost: "Du hast in ein Feld geschrieben. Was dort steht, ist nirgends sonst aufbewahrt.",
  manyFieldsLost:
    "Du hast in {count} Felder geschrieben. Was dort steht, ist nirgends sonst aufbewahrt.",
  queuedWriteLost: "Der Dienst hat es nicht. Was darin steht, ist nirgends sonst aufbewahrt.",
  leaveQuestion: "Weggehen, ohne was du geschrieben hast?",
  leave: "Ohne es weggehen",
  oneUnsavedForm: "Was du in ein Formular geschrieben hast, ist noch nirgends aufbewahrt.",
  manyUnsavedForms: "Was du in {count} Formulare geschrieben hast, ist noch nirgends aufbewahrt.",
  signOutQuestion: "Abmelden und verlieren, was nicht aufbewahrt ist?",
  signOutNow: "Abmelden und verlieren",
  oneUnsyncedLost:
    "Etwas, das du geschrieben hast, steht nur in diesem Browser. Das Abmelden löscht es dort.",
  manyUnsyncedLost:
    "{count} Dinge, die du geschrieben hast, stehen nur in diesem Browser. Das Abmelden löscht sie dort.",
  noRoom: "Dieser Browser hat keinen Platz dafür.",
};
