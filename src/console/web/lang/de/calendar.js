/** German: the calendar and its addresses. */
export default {
  calendarText:
    "Ein Kalenderprogramm kann zeigen, was fällig ist. Wer die Adresse hat, kann diesen Kalender lesen, sonst nichts.",
  newFeed: "Neue Kalenderadresse",
  newAddress: "Adresse ersetzen",
  newAddressOf: "Adresse ersetzen: {name}",
  endFeed: "Beenden: {name}",
  addressOnce:
    "Das ist die Adresse von {name}. Sie wird nur jetzt angezeigt: Kopiere sie in dein Kalenderprogramm.",
  addressAdded: "Ich habe sie eingetragen",
  feedName: "Name",
  feedKinds: "Inhalt",
  feedDetail: "Umfang",
  feedDetailHint:
    "Andere könnten deinen Kalender sehen. Mit Zeiten allein verlässt kein Titel und kein Name diesen Dienst.",
  feedTimed: "Vor einer Zeit erinnern",
  feedTimedHint: "Manche Programme beachten das nicht und erinnern nach eigenen Einstellungen.",
  minutesBefore: "{count} Minuten vorher",
  feedAllDay: "An einem Tag erinnern",
  feedZone: "Zeitzone",
  feedLifetime: "Gültig für",
  howToAdd: "So trägst du eine Adresse ein",
  addApple:
    "Wähle in Kalender Ablage, Neues Kalenderabonnement, und füge die Adresse ein. Entferne den Haken bei „Hinweise entfernen“, wenn du erinnert werden willst. Auf einem iPhone: Einstellungen, Kalender, Accounts, Account hinzufügen, Andere, Kalenderabo hinzufügen.",
  addGoogle:
    "Wähle im Browser Weitere Kalender, Per URL, und füge die Adresse ein. Google liest sie ein- oder zweimal am Tag, beachtet ihre Erinnerungen nicht und schickt eigene.",
  addThunderbird:
    "Wähle Neuer Kalender, Im Netzwerk, und füge die Adresse ein. Thunderbird liest sie so oft, wie du einstellst, und erinnert nach ihren Hinweisen.",
  addAndroid:
    "Installiere ICSx5, wähle Hinzufügen und füge die Adresse ein. Auch aus DAVx5 lässt es sich öffnen. Stelle ein, wie oft sie gelesen wird; ihre Hinweise erinnern dich.",
};
