/** German: what happened since the last look, and whether the audit trail was rewritten. */
export default {
  witnessText:
    "Dieser Browser merkt sich das neueste Siegel deines Prüfpfads und rechnet den Prüfpfad ab da nach. Wurde seither ein Eintrag geändert, hinzugefügt oder entfernt, siehst du es hier. Einträge der letzten zehn Minuten sind noch nicht versiegelt; die nächste Prüfung schließt sie ein.",
  rewriteCheck: "Wurde etwas umgeschrieben?",
  checkedSoFar: "Wird geprüft … bisher {count} Einträge",
  firstCheck:
    "Das ist deine erste Prüfung in diesem Browser; es gibt noch kein früheres Siegel zum Vergleichen. Jeder Eintrag passt zu seinem Siegel. Das neueste Siegel ist jetzt hier gespeichert.",
  nothingRewritten: "Seit deiner letzten Prüfung am {time} wurde nichts umgeschrieben.",
  partlyChecked:
    "Der Prüfpfad setzt das Siegel fort, das du am {time} gesehen hast, und alles seither passt. Ältere Einträge ({count}) wurden diesmal nicht nachgerechnet.",
  recomputed: "Nachgerechnete Einträge: {entries}, Siegel: {seals}. Neuestes Siegel: {number}",
  checkAll: "Jeden Eintrag prüfen",
  nothingSealed: "Es ist noch nichts versiegelt. Einträge werden alle zehn Minuten versiegelt.",
  notSecure:
    "Dieser Browser kann hier nicht prüfen, weil die Seite ohne HTTPS geöffnet wurde. Öffne sie über https oder auf dem Rechner, auf dem der Dienst läuft.",
  notChecked:
    "Das ließ sich gerade nicht prüfen. Die Siegel, die du gesehen hast, bleiben gemerkt.",
  trailBroken: "Der Prüfpfad passt nicht zu seinen eigenen Siegeln",
  trailChanged: "Das ist nicht der Prüfpfad, den du zuvor gesehen hast",
  faultReplaced:
    "Siegel {number} hat jetzt eine andere Prüfsumme. Der Prüfpfad wurde umgeschrieben, oder eine ältere Sicherung wurde eingespielt.",
  faultShorter:
    "Siegel {number}, das du gesehen hast, ist nicht mehr da. Wurde eine ältere Sicherung eingespielt, ist das zu erwarten. Wenn nicht, wurden Einträge entfernt.",
  faultEntries:
    "Siegel {number} passt nicht zu seinen Einträgen. Mindestens ein Eintrag wurde nach dem Versiegeln geändert, hinzugefügt oder entfernt.",
  faultChain: "Siegel {number} fehlt, wurde verändert oder folgt nicht auf das Siegel davor.",
  whatToDo: "Was zu tun ist",
  keepDigests: "Kopiere die Prüfsummen unten. Dieser Browser behält die, die du gesehen hast.",
  askOperator: "Frage den Betreiber, ob und wann eine Sicherung eingespielt wurde.",
  compareBackup:
    "Lass den Prüfpfad und eine frühere Sicherung mit der Prüfsumme vergleichen, die du gesehen hast:",
  digestSeen: "Du hast gesehen",
  digestNow: "Der Dienst zeigt",
  sealDigest: "Siegel {number}: {digest}",
  noSeal: "kein solches Siegel",
  noneSeen: "noch nichts",
  acceptTrail: "Stattdessen den neuen Prüfpfad merken",
  acceptQuestion: "Das gesehene Siegel vergessen?",
  acceptText:
    "Tu das nur, wenn du weißt, warum sich der Prüfpfad geändert hat. Die nächste Prüfung vergleicht dann mit dem neuen.",
  whatHappened: "Was seit {time} passiert ist",
  whatHappenedFirst: "Was bisher passiert ist",
  nothingHappened: "Nichts braucht deine Aufmerksamkeit.",
  onlyNewest: "Gezählt wurden nur die neuesten 5.000 Ereignisse.",
  seeEvents: "Alle Ereignisse ansehen",
  sinceSignIn: "Seit du dich hier zuletzt am {time} angemeldet hast",
  seeWhatHappened: "Ansehen, was passiert ist",
  oneNewSource: "1 Anmeldung von einem neuen Browser oder einer neuen Adresse",
  manyNewSources: "Anmeldungen von {count} neuen Browsern oder Adressen",
  oneWrongTry: "1 falsches Passwort oder ein falscher Code",
  manyWrongTries: "{count} falsche Passwörter oder Codes",
  oneWithoutCode: "1 richtiges Passwort ohne Code",
  manyWithoutCode: "{count} richtige Passwörter ohne Code",
  onePasswordChange: "Passwort geändert",
  manyPasswordChanges: "Passwort {count}-mal geändert",
  oneFactorChange: "1 Änderung oder Wiederherstellung des zweiten Faktors",
  manyFactorChanges: "{count} Änderungen oder Wiederherstellungen des zweiten Faktors",
  oneOperatorAct: "1 Änderung am Konto oder seinen Berechtigungen durch den Betreiber",
  manyOperatorActs: "{count} Änderungen am Konto oder seinen Berechtigungen durch den Betreiber",
  oneNewToken: "1 neuer Zugangsschlüssel",
  manyNewTokens: "{count} neue Zugangsschlüssel",
  oneExport: "1 Export",
  manyExports: "{count} Exporte",
  oneTokenSecret: "Geheime Inhalte wurden einmal mit einem Zugangsschlüssel gelesen",
  manyTokenSecrets: "Geheime Inhalte wurden {count}-mal mit Zugangsschlüsseln gelesen",
  oneSecretRead: "Geheime Inhalte wurden einmal in einer Sitzung gelesen",
  manySecretReads: "Geheime Inhalte wurden {count}-mal in Sitzungen gelesen",
};
