/** German: what every page needs, and what failures mean. */
export default {
  sentences: {
    signIn: "Anmelden",
    signOut: "Abmelden",
    email: "E-Mail",
    password: "Passwort",
    secondFactor: "Code",
    secondFactorHint:
      "Aus der Authenticator-App, oder ein Wiederherstellungscode. Werden richtige Codes abgelehnt, nimm einen Wiederherstellungscode.",
    newPassword: "Neues Passwort",
    passwordHint: "Mindestens 12 Zeichen. Am besten einige Wörter, die du sonst nirgends benutzt.",
    sharedComputer: "Diesen Computer benutzen auch andere",
    sharedHint:
      "Ungespeicherter Text wird entfernt, wenn du den Tab schließt. Melde dich ab, bevor du gehst.",
    home: "Heute",
    notFound: "Seite nicht gefunden",
    notFoundText: "Vielleicht ist die Adresse falsch, oder die Seite wurde entfernt.",
    failed: "Das hat nicht geklappt",
    again: "Erneut versuchen",
    unexpected: "Etwas Unerwartetes ist passiert ({code}).",
    required: "Dieses Feld ist erforderlich.",
    cancel: "Abbrechen",
    optional: "(optional)",
    notValid: "Dieser Wert ist nicht gültig.",
    goToField: "Zu {name}",
    pages: "Seiten",
    quickPlaces: "Schnellzugriff",
    menu: "Menü",
    drafts: "Entwürfe",
    search: "Suche",
    people: "Personen",
    memories: "Erinnerungen",
    decisions: "Entscheidungen",
    calendar: "Kalender",
    records: "Aufzeichnungen",
    noRecordsYet: "Noch leer",
    files: "Dateien",
    tags: "Schlagwörter",
    account: "Konto",
    add: "Hinzufügen",
    goTo: "Gehe zu …",
    setUp: "Deine Aufzeichnungen einrichten",
    setUpText:
      "Es gibt noch kein Konto. Das erste gehört dir, und alles, was hier gespeichert wird.",
    setUpLink:
      "Beim Start hat der Dienst einen Link ausgegeben, der auf #setup=… endet. Öffne ihn, oder füge ihn hier ein.",
    setUpToken: "Link oder Schlüssel zum Einrichten",
    createAccount: "Konto anlegen",
    displayName: "Dein Name",
    "json.number": "Eine Zahl hat zu viele Ziffern. Setze sie in Anführungszeichen.",
    "account.password_length": "Ein Passwort hat mindestens 12 Zeichen, und höchstens 256.",
    "account.password_known":
      "Dieses Passwort ist aus Datenlecks bekannt oder leicht zu erraten. Wähle ein anderes.",
    "account.password_repetitive":
      "Dieses Passwort wiederholt sich, oder hat zu wenige verschiedene Zeichen.",
    "account.password_sequence":
      "Dieses Passwort folgt dem Alphabet, den Ziffern oder der Tastatur.",
    "account.password_is_service": "Dieses Passwort ähnelt dem Namen dieses Dienstes zu sehr.",
    "account.password_is_email": "Dieses Passwort ähnelt deiner E-Mail zu sehr.",
    usePasskey: "Passkey benutzen",
    passkeyUnused:
      "Es wurde kein Passkey benutzt. Versuche es noch einmal, oder benutze dein Passwort.",
    passkeyForeign:
      "Die Passkeys gehören zu {host}, und dieser Browser lässt sie hier nicht zu. Benutze dein Passwort. Wer den Dienst betreibt, kann /.well-known/webauthn unter {host} anbieten oder PASSKEY_HOST={here} setzen: Dann brauchst du neue Passkeys.",
    passkeyRefused: "Dieser Passkey wurde nicht angenommen. Benutze dein Passwort.",
    signInToAllow:
      "Ein Programm möchte deine Einträge lesen. Melde dich an, um zu sehen, worum es bittet.",
  },
  failures: {
    ACCOUNT_CONFLICT: "Ein Konto mit dieser E-Mail gibt es bereits.",
    ACCOUNT_MOVED: "Dieses Konto ist umgezogen. Melde dich unter der neuen Adresse an:",
    AUTH_REQUIRED: "E-Mail, Passwort oder Code ist falsch.",
    FORBIDDEN: "Dein Konto hat dazu keine Berechtigung.",
    HTTP_404: "Das gibt es nicht.",
    HTTP_429: "Zu viele Versuche. Warte einen Moment und versuche es erneut.",
    HTTP_503: "Der Dienst ist ausgelastet oder startet gerade. Versuche es gleich erneut.",
    INTERNAL_ERROR:
      "Etwas ist schiefgegangen. Versuche es erneut. Bleibt der Fehler, bitte den Betreiber, im Protokoll nachzusehen.",
    NETWORK_ERROR: "Der Dienst ist nicht erreichbar. Prüfe die Verbindung und versuche es erneut.",
    PAYLOAD_INVALID: "Einige Felder sind nicht gültig. Prüfe sie und versuche es erneut.",
    SECOND_FACTOR_REQUIRED: "Dieses Konto verlangt auch einen Code.",
    SETUP_CLOSED: "Es gibt bereits ein Konto. Melde dich an.",
    SYSTEM_MAINTENANCE:
      "Wegen Wartung kann gerade nichts gespeichert werden. Versuche es später erneut.",
  },
};
