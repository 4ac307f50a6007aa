/** German: the rules of every field. */

export const ABOUT = {
  apiDescription: "API-Beschreibung",
  mayLoad: "Was diese Seite laden darf",
  mayLoadText:
    "Ihre eigenen Dateien, Antworten der API dieses Dienstes und Bilder, die du hochgeladen hast. Sonst nichts.",
  mayLoadWhy:
    "Der Browser setzt das durch. Dein Text kann deshalb nicht als Programm laufen oder an andere gesendet werden. Die Dateien sind identisch mit dem Quelltext.",
  mayKeep: "Was sie in diesem Browser speichert",
  keepsSession:
    "Deine Sitzung in einem Cookie, das Skripte nicht lesen können, und ob dieser Computer geteilt wird.",
  keepsDrafts:
    "Ungespeicherten Text, bis zu vierzehn Tage. Sensible Felder nur bis zum Schließen des Tabs.",
  keepsSettings: "Erscheinungsbild, Sprache, Tastenkürzel, verdeckte Wörter und gesehene Siegel.",
  keepsNothingElse:
    "Beim Abmelden wird alles außer diesen entfernt. Passwörter, Codes und Zugangsschlüssel werden nie gespeichert.",
  fieldRules: "Regeln der Felder",
  fieldRulesText: "Was jede Art von Aufzeichnung annimmt.",
  editLine: "Eine Zeile Text.",
  editText: "Text.",
  editOne: "Eines von:",
  editNumber: "Eine Zahl.",
  editTime: "Ein Zeitpunkt.",
  editYesNo: "Ja oder nein.",
  editWords: "Eine Liste von Wörtern.",
  editFile: "Eine Datei.",
  editJson: "JSON.",
  isRequired: "Erforderlich.",
  isSensitive: "Sensibel: verborgen, bis du es anzeigst, und nie in einer Adresse.",
  longest: "Höchstens {count} Zeichen.",
};
