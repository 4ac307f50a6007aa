/** German: home, search, print and keys. */
export default {
  captureLabel: "Was geht dir durch den Kopf?",
  captureHint: "Enter bewahrt es auf; Umschalt und Enter beginnen eine neue Zeile.",
  captureTitle: "Notiz vom {time}",
  due: "Fällig",
  looking: "Sehe nach …",
  nothingDue: "Nichts ist fällig.",
  overdueSince: "überfällig: {when}",
  oneMore: "Noch etwas",
  manyMore: "{count} weitere",
  oneOpenDraft: "Etwas ist noch nicht aufbewahrt",
  openDrafts: "{count} Dinge sind noch nicht aufbewahrt",
};
