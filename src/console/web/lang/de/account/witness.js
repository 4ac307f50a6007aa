/** German: seals that the browser has seen. */

export const WITNESS = {
  witnessText:
    "Dieser Browser merkt sich das neueste Siegel deines Prüfpfads und rechnet ihn ab da nach: Hier siehst du, ob ein Eintrag geändert, hinzugefügt oder entfernt wurde. Die nächste Prüfung schließt die Einträge der letzten zehn Minuten ein.",
  rewriteCheck: "Wurde etwas umgeschrieben?",
  checkedSoFar: "Wird geprüft … bisher {count} Einträge",
  firstCheck:
    "Das ist deine erste Prüfung in diesem Browser: Jeder Eintrag passt zu seinem Siegel. Spätere Prüfungen vergleichen mit dem neuesten Siegel, das jetzt hier gespeichert ist.",
  nothingRewritten: "Seit deiner letzten Prüfung am {time} wurde nichts umgeschrieben.",
  partlyChecked:
    "Der Prüfpfad setzt das Siegel fort, das du am {time} gesehen hast, und alles seither passt. Ältere Einträge ({count}) wurden diesmal nicht nachgerechnet.",
  recomputed: "Nachgerechnete Einträge: {entries}, Siegel: {seals}. Neuestes Siegel: {number}",
  checkAll: "Jeden Eintrag prüfen",
  notSecure:
    "Ohne HTTPS kann der Browser das nicht prüfen. Öffne die Seite über https oder auf dem Rechner des Dienstes.",
  notChecked:
    "Das ließ sich gerade nicht prüfen. Die Siegel, die du gesehen hast, bleiben gemerkt.",
  trailBroken: "Der Prüfpfad passt nicht zu seinen eigenen Siegeln",
  trailChanged: "Das ist nicht der Prüfpfad, den du zuvor gesehen hast",
  faultReplaced:
    "Siegel {number} hat jetzt eine andere Prüfsumme. Der Prüfpfad wurde umgeschrieben, oder eine ältere Sicherung wurde eingespielt.",
  faultShorter:
    "Siegel {number}, das du gesehen hast, ist nicht mehr da. Einträge wurden entfernt, oder eine ältere Sicherung wurde eingespielt.",
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
    "Tu das nur, wenn du weißt, warum sich der Prüfpfad geändert hat. Die nächste Prüfung vergleicht mit dem neuen.",
  whatHappened: "Was seit {time} passiert ist",
  whatHappenedFirst: "Was bisher passiert ist",
  nothingHappened: "Nichts braucht deine Aufmerksamkeit.",
  onlyNewest: "Gezählt wurden nur die neuesten 5.000 Ereignisse.",
  seeEvents: "Alle Ereignisse ansehen",
  sinceSignIn: "Seit du dich hier zuletzt am {time} angemeldet hast",
  seeWhatHappened: "Ansehen, was passiert ist",
  newSources:
    "1 Anmeldung von einem neuen Browser oder einer neuen Adresse|Anmeldungen von {count} neuen Browsern oder Adressen",
  wrongTries: "1 falsches Passwort oder ein falscher Code|{count} falsche Passwörter oder Codes",
  withoutCode: "1 richtiges Passwort ohne Code|{count} richtige Passwörter ohne Code",
  passwordChanges: "Passwort geändert|Passwort {count}-mal geändert",
  factorChanges:
    "1 Änderung oder Wiederherstellung des zweiten Faktors|{count} Änderungen oder Wiederherstellungen des zweiten Faktors",
  passkeyChanges:
    "1 Passkey hinzugefügt, entfernt oder vielleicht kopiert|{count} Passkeys hinzugefügt, entfernt oder vielleicht kopiert",
  operatorActs:
    "1 Änderung an deinem Konto durch den Betreiber|{count} Änderungen an deinem Konto durch den Betreiber",
  newTokens: "1 neuer Zugangsschlüssel|{count} neue Zugangsschlüssel",
  newAssistants: "1 neuer Assistent|{count} neue Assistenten",
  reusedTokens:
    "1 Anmeldung eines Assistenten beendet, weil ein Zugangsschlüssel zweimal benutzt wurde|{count} Anmeldungen von Assistenten beendet, weil Zugangsschlüssel zweimal benutzt wurden",
  assistantReadings: "1 Aufruf eines Assistenten|{count} Aufrufe von Assistenten",
  exports: "1 Export|{count} Exporte",
  tokenSecrets:
    "Ein Zugangsschlüssel las geheime Inhalte|Zugangsschlüssel lasen {count}-mal geheime Inhalte",
  secretReads:
    "Geheime Inhalte wurden einmal in einer Sitzung gelesen|Geheime Inhalte wurden {count}-mal in Sitzungen gelesen",
  proof: "Nachweis",
  proofHolds:
    "Dieser Eintrag ist so, wie er versiegelt wurde: Dieser Browser hat das Siegel daraus nachgerechnet.",
  proofFails: "Dieser Eintrag passt nicht zu seinem Siegel: Er wurde danach geändert.",
  proofPlace: "Eintrag {place} von {count} im Siegel",
  sealed: "Prüfsumme des Siegels",
  proofRoot: "Wurzel",
  proofPath: "Weg zur Wurzel",
  entryOperation: "Vorgang",
  entryRequest: "Anfrage",
  changesText: "Jede Änderung deiner Aufzeichnungen, die neueste zuerst.",
  whatChanged: "Was sich änderte",
  featuresText: "Das kann diese Art von Eintrag, jetzt oder in einer späteren Version.",
  runFeature: "Ausführen",
  runFeatureOf: "{name} ausführen",
  executionRuns: "Ausführungen",
  noExecutions: "Mit diesem Eintrag wurde nichts ausgeführt.",
  executionOutput: "Ergebnis",
};
