/** German: the sign-in of assistants. */

export const SIGN_IN = {
  allowSignIn: "Darf sich {name} anmelden?",
  allowSignInOf: "Welcher Assistent meldet sich an?",
  allowWarning: "Erlaube es nur, wenn du das gerade im Programm begonnen hast.",
  allow: "Erlauben",
  deny: "Ablehnen",
  pressAgain: "Drücke zur Bestätigung noch einmal auf Erlauben.",
  signInEnds: "Er endet",
  answerTo: "Zurück zu",
  onThisDevice: "Ein Programm auf diesem Gerät",
  backToProgram: "Zurück zum Programm",
  answered: "Beantwortet",
  answeredText: "Das Programm hat deine Antwort. Du kannst diese Seite schließen.",
  cannotAllow: "Diese Anmeldung ist nicht möglich",
  noAssistantFits:
    "Keiner deiner Assistenten ist für dieses Programm. Leihe zuerst einem, und versuche es dann hier noch einmal.",
  "authorization.request":
    "Die Adresse dieser Seite ist unvollständig. Beginne die Anmeldung im Programm von vorn.",
  "authorization.client":
    "Du hast keinen Assistenten mit der Client-ID, die das Programm geschickt hat. Vielleicht ist der Assistent beendet oder gehört zu einem anderen Konto. Vergleiche die Client-ID im Programm mit der deines Assistenten.",
  "authorization.callback":
    "Dein Assistent ist für ein anderes Programm: Er nimmt die Adresse nicht an, zu der dieses Programm zurückkehrt. Leihe einem Assistenten für dieses Programm.",
  "authorization.bound":
    "Dein Assistent gehört schon zu einer anderen Verbindung dieses Programms. Leihe für diese Verbindung einem weiteren Assistenten.",
  "refusal.invalid_request":
    "Die Anfrage des Programms ist unvollständig oder fehlerhaft. Aktualisiere das Programm, oder frage seinen Hersteller.",
  "refusal.unsupported_response_type":
    "Das Programm bittet um eine Art der Anmeldung, die dieser Dienst nicht hat. Aktualisiere das Programm, oder frage seinen Hersteller.",
  "refusal.invalid_target":
    "Das Programm bittet um eine Adresse, die nicht die dieses Dienstes ist. Prüfe die Adresse im Programm.",
};
