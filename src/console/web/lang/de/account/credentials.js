/** German: sessions and tokens. */

export const CREDENTIALS = {
  sessionsText:
    "Jede Sitzung ist ein angemeldeter Browser oder ein Programm. Kennst du eine nicht, beende sie und ändere dein Passwort.",
  thisSession: "Diese Sitzung",
  signedInAt: "Angemeldet {time}",
  lastSeen: "Zuletzt gesehen {time}",
  endsAt: "Endet {time}",
  sameAddress: "Deine aktuelle Adresse",
  otherAddress: "Eine andere Adresse",
  end: "Beenden",
  ended: "Beendet.",
  endSession: "{name} beenden, angemeldet {since}",
  endOthers: "Alle anderen beenden",
  tokensText:
    "Mit einem Zugangsschlüssel nutzt ein Programm dein Konto ohne dein Passwort, mit den Berechtigungen, die du wählst.",
  newToken: "Zugangsschlüssel anlegen",
  neverUsed: "Nie benutzt",
  endToken: "{name} beenden",
  tokenNameHint: "Zum Beispiel das Programm, das ihn benutzt.",
  tokenPermissions: "Berechtigungen",
  presetRead: "Alles lesen außer Geheimem und dem Prüfpfad",
  presetInbox: "Nur Notizen und ihre Dateien hinzufügen",
  presetCapture: "Nur Aufzeichnungen und Dateien hinzufügen",
  presetOwn: "Eigene Auswahl",
  chooseOne: "Wähle mindestens eine Berechtigung.",
  tokenLifetime: "Gültig für",
  days: "{count} Tage",
  tokenOnce:
    "Das ist der Zugangsschlüssel {name}. Er wird nur jetzt angezeigt und nicht im Browser gespeichert: Kopiere ihn in dein Programm.",
};
