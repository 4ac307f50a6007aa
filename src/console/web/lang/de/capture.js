/** German: the page Capture. */
export default {
  sharedTooLarge:
    "Das war zu viel. Du kannst 64 KiB Text teilen und zehn Dateien mit zusammen 16 MiB.",
  sharedDropped:
    "Eine Datei ist nicht angekommen, weil du nicht angemeldet warst. Teile sie jetzt noch einmal.|{count} Dateien sind nicht angekommen, weil du nicht angemeldet warst. Teile sie jetzt noch einmal.",
  onIphone: "Auf einem iPhone",
  shortcutToken:
    "Ein iPhone teilt über einen Kurzbefehl. Lege dafür einen Zugangsschlüssel an, der nur Notizen und ihre Dateien hinzufügen kann:",
  createToken: "Zugangsschlüssel anlegen",
  shortcutText:
    "Lege in der App Kurzbefehle den Kurzbefehl „Notiz“ an. Er empfängt Text und URLs aus dem Teilen-Menü und fragt ohne Eingabe nach Text.",
  shortcutDate:
    "Füge „Datum formatieren“ für das aktuelle Datum hinzu: ISO 8601, mit Uhrzeit. Das ist die Zeit der Notiz und, mit einer Zufallszahl dahinter, der Idempotency-Key.",
  shortcutRequest:
    "Füge „Inhalte von URL abrufen“ hinzu: Methode POST, die beiden Header und das JSON unten, mit deinem Zugangsschlüssel, dem Text und dem Datum statt der Punkte. Der Titel hat höchstens 200 Zeichen. Adresse:",
};
