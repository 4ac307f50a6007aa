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
    passwordHint:
      "Mindestens 12 Zeichen. Am besten einige Wörter, die sonst nirgends benutzt werden.",
    displayName: "Dein Name",
    sharedComputer: "Diesen Computer benutzen auch andere",
    sharedHint:
      "Was du schreibst, bleibt nur, solange sein Tab offen ist. Melde dich ab, bevor du gehst.",
    setUp: "Deine Aufzeichnungen einrichten",
    setUpText:
      "Es gibt noch kein Konto. Das erste gehört dir: mit allem, was hier aufbewahrt wird.",
    setUpLink:
      "Beim Start hat der Dienst einen Link ausgegeben, der auf #setup=… endet. Öffne ihn, oder füge ihn hier ein.",
    setUpToken: "Link oder Schlüssel zum Einrichten",
    createAccount: "Konto anlegen",
    home: "Start",
    notFound: "Diese Seite gibt es nicht",
    notFoundText:
      "Vielleicht ist die Adresse falsch geschrieben, oder was sie zeigte, ist nicht mehr da.",
    failed: "Das hat nicht geklappt",
    again: "Noch einmal versuchen",
    unexpected: "Etwas Unerwartetes ist passiert ({code}).",
    required: "Das wird gebraucht.",
    passwordAgain: "Die Sitzung ist beendet",
    passwordAgainText:
      "Melde dich wieder an, um weiterzumachen. Was du geschrieben hast, bleibt, wie es ist.",
    cancel: "Abbrechen",
    optional: "(freiwillig)",
    notValid: "Das ist nicht gültig.",
    pages: "Seiten",
    drafts: "Entwürfe",
    search: "Suche",
    account: "Konto",
  },
  failures: {
    ACCOUNT_CONFLICT: "Ein Konto mit dieser E-Mail gibt es schon.",
    ACCOUNT_MOVED: "Dieses Konto ist umgezogen. Melde dich unter der neuen Adresse an:",
    AUTH_REQUIRED: "E-Mail, Passwort oder Code stimmen nicht.",
    FORBIDDEN: "Dieses Konto darf das nicht.",
    HTTP_404: "Es ist nicht da.",
    HTTP_429: "Zu viele Versuche. Warte ein wenig, dann versuche es noch einmal.",
    HTTP_503: "Der Dienst ist ausgelastet oder startet gerade. Versuche es gleich noch einmal.",
    INTERNAL_ERROR:
      "Der Dienst ist gescheitert. Versuche es noch einmal; sonst steht in seinem Protokoll, was geschehen ist.",
    NETWORK_ERROR:
      "Der Dienst ist nicht zu erreichen. Prüfe die Verbindung und versuche es noch einmal.",
    PAYLOAD_INVALID: "Etwas davon ist nicht gültig.",
    SECOND_FACTOR_REQUIRED: "Dieses Konto verlangt auch einen Code.",
    SETUP_CLOSED: "Es gibt schon ein Konto: melde dich an.",
    SYSTEM_MAINTENANCE: "Wegen Wartung kann gerade nichts geschrieben werden. Versuche es später.",
  },
};
