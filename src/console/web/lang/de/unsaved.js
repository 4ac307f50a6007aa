/** German: questions before text is discarded. */
export default {
  discardQuestion: "Deinen Text verwerfen?",
  discardNow: "Text verwerfen",
  oneFieldLost: "Ein Feld hat ungespeicherten Text. Er existiert sonst nirgends.",
  manyFieldsLost: "{count} Felder haben ungespeicherten Text. Er existiert sonst nirgends.",
  queuedWriteLost: "Der Dienst hat diesen Text nicht. Er existiert sonst nirgends.",
  leaveQuestion: "Ohne Speichern verlassen?",
  leave: "Ohne Speichern verlassen",
  oneUnsavedForm: "Ein Formular hat ungespeicherten Text.",
  manyUnsavedForms: "{count} Formulare haben ungespeicherten Text.",
  signOutQuestion: "Abmelden und ungespeicherten Text verlieren?",
  signOutNow: "Trotzdem abmelden",
  oneUnsyncedLost:
    "1 ungespeichertes Element existiert nur in diesem Browser. Beim Abmelden wird es gelöscht.",
  manyUnsyncedLost:
    "{count} ungespeicherte Elemente existieren nur in diesem Browser. Beim Abmelden werden sie gelöscht.",
  noRoom: "Der Speicher dieses Browsers ist voll. Sende oder verwirf zuerst andere Elemente.",
};
