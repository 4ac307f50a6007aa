/** German: assistants and calendars. */

export const ASSISTANTS = {
  assistantsText:
    "Ein Assistent liest die Bereiche, die du ihm leihst, und schlägt Änderungen nur vor. Geschrieben wird nichts, bis du zustimmst.",
  assistantsOff:
    "Assistenten sind ausgeschaltet. Der Betreiber kann sie mit ASSISTANTS=true einschalten.",
  newAssistant: "Einem Assistenten leihen",
  assistantNameHint:
    "Woran du ihn wiedererkennst. Entwürfe, die er vorschlägt, tragen diesen Namen.",
  lentModules: "Er darf lesen",
  assistantProposes: "Er darf Änderungen vorschlagen",
  assistantReads: "Er liest nur",
  sensitiveFields: "Sensible Felder",
  sensitiveHidden: "Verborgen",
  sensitiveShown: "Er liest sie",
  assistantLifetime: "Er endet nach",
  assistantOnce:
    "Das ist der Zugangsschlüssel von {name} für {address}. Er wird nur jetzt angezeigt: Kopiere ihn in das Programm des Assistenten.",
  assistantStored: "Ich habe ihn aufbewahrt",
  assistantProgram: "Programm",
  assistantProgramHint:
    "Die meisten Programme öffnen eine Seite dieses Dienstes, auf der du sie erlaubst. Du kopierst kein Geheimnis.",
  otherProgram: "Ein anderes Programm, das sich anmeldet",
  pastedToken: "Ein anderes Programm, mit eingefügtem Zugangsschlüssel",
  callbacks: "Rückadressen",
  callbacksHint:
    "Adressen, zu denen das Programm nach der Anmeldung zurückkehrt (Redirect-URIs), eine je Zeile, wie seine Dokumentation sie nennt. Bei Adressen auf localhost ist der Port gleichgültig.",
  cloudsNeed:
    "Dieses Programm verbindet sich aus dem Internet und braucht deshalb eine öffentliche https-Adresse auf Port 443. {origin} erreicht es nicht. Claude Code, VS Code und Cursor laufen auf deinem Gerät und erreichen es.",
  assistantReady:
    "Trage das im Programm ein. Es öffnet dann eine Seite dieses Dienstes, auf der du die Anmeldung von {name} erlaubst.",
  assistantEntered: "Ich habe es eingetragen",
  assistantAddress: "Adresse",
  clientId: "Client-ID",
  clientSecret: "Client-Geheimnis",
  noClientSecret: "Lass es leer.",
  "setUp.CLAUDE":
    "Öffne in Claude Einstellungen, Konnektoren, und füge einen eigenen Konnektor hinzu. Die Client-ID steht unter den erweiterten Einstellungen.",
  "setUp.CLAUDE_CODE":
    "Führe das in einem Terminal aus. Gib dann in Claude Code /mcp ein und wähle records.",
  "setUp.CHATGPT":
    "Schalte in ChatGPT in den erweiterten Einstellungen der Apps den Entwicklermodus ein. Lege eine App mit dieser Adresse und OAuth an; die Client-ID steht unter ihren erweiterten OAuth-Einstellungen.",
  "setUp.VSCODE":
    "Führe in VS Code MCP: Open User Configuration aus und füge das hinzu. Starte dort dann records.",
  "setUp.CURSOR":
    "Füge das der Datei mcp.json von Cursor hinzu. Wähle dann in seinen MCP-Einstellungen Connect.",
  "setUp.OTHER": "Trage das in den Einstellungen des Programms ein.",
  connectAssistant: "{name} verbinden",
  noSignIns: "Noch nicht angemeldet",
  signIns: "1 Anmeldung|{count} Anmeldungen",
  boundTo: "Gebunden an {callback}",
  "assistant.sign_in": "Assistenten können sich bei diesem Dienst nicht anmelden.",
  "callback.count": "Gib 1 bis 5 Rückadressen ein.",
  "callback.format":
    "Jede Rückadresse ist eine https-Adresse, oder eine http-Adresse auf localhost, 127.0.0.1 oder [::1], mit höchstens 500 Zeichen und ohne #.",
  assistantRuns: "Bis {time}",
  noProposals: "Keine Vorschläge.",
  proposedChange: "Änderung: {name}",
  proposedText: "Entwurf für eine Erinnerung",
  assistantProposedAt: "Vorgeschlagen {time}",
  proposalEnds: "Läuft ab {time}",
  proposedRecordLink: "Eintrag öffnen",
  acceptProposal: "Annehmen",
  proposalAccepted: "Angenommen und gespeichert.",
  proposalRejected: "Abgelehnt. Nichts wurde geändert.",
  calendarText:
    "Ein Kalenderprogramm kann zeigen, was fällig ist. Wer die Adresse hat, kann diesen Kalender lesen, sonst nichts.",
  comingUp: "Die nächsten {days} Tage",
  calendarFeeds: "Adressen für Kalenderprogramme",
  newFeed: "Neue Kalenderadresse",
  newAddress: "Adresse ersetzen",
  addressOnce:
    "Das ist die Adresse von {name}. Sie wird nur jetzt angezeigt: Kopiere sie in dein Kalenderprogramm.",
  addressAdded: "Ich habe sie eingetragen",
  feedKinds: "Inhalt",
  feedDetail: "Umfang",
  feedDetailHint:
    "Andere könnten deinen Kalender sehen. Mit Zeiten allein verlässt kein Titel und kein Name diesen Dienst.",
  feedTimed: "Vor einer Zeit erinnern",
  feedTimedHint: "Manche Programme beachten das nicht und nehmen eigene Einstellungen.",
  timeBefore: "{time} vorher",
  atTheTime: "Zur Zeit selbst",
  feedAllDay: "An einem Tag erinnern",
  feedLifetime: "Gültig für",
  howToAdd: "So trägst du eine Adresse ein",
  addApple:
    "Wähle in Kalender Ablage, Neues Kalenderabonnement, und füge die Adresse ein. Lass „Hinweise entfernen“ leer, um erinnert zu werden. Auf einem iPhone: Einstellungen, Kalender, Accounts, Account hinzufügen, Andere, Kalenderabo hinzufügen.",
  addGoogle:
    "Wähle im Browser Weitere Kalender, Per URL, und füge die Adresse ein. Google liest sie ein- oder zweimal am Tag und schickt eigene Erinnerungen.",
  addThunderbird:
    "Wähle Neuer Kalender, Im Netzwerk, und füge die Adresse ein. Thunderbird liest sie so oft, wie du einstellst, und zeigt ihre Hinweise.",
  addAndroid:
    "Installiere ICSx5, das sich auch aus DAVx5 öffnen lässt, wähle Hinzufügen und füge die Adresse ein. ICSx5 liest sie so oft, wie du einstellst, und zeigt ihre Hinweise.",
};
