/** German: set-up and new passwords. */
export default {
  setUp: "Deine Aufzeichnungen einrichten",
  setUpText: "Es gibt noch kein Konto. Das erste gehört dir, und alles, was hier gespeichert wird.",
  setUpLink:
    "Beim Start hat der Dienst einen Link ausgegeben, der auf #setup=… endet. Öffne ihn, oder füge ihn hier ein.",
  setUpToken: "Link oder Schlüssel zum Einrichten",
  createAccount: "Konto anlegen",
  displayName: "Dein Name",
  passwordTooShort: "Ein Passwort hat mindestens 12 Zeichen, und höchstens 256.",
  passwordKnown:
    "Dieses Passwort ist aus Datenlecks bekannt oder leicht zu erraten. Wähle ein anderes.",
  passwordRepetitive: "Dieses Passwort wiederholt sich, oder hat zu wenige verschiedene Zeichen.",
  passwordSequence: "Dieses Passwort folgt dem Alphabet, den Ziffern oder der Tastatur.",
  passwordIsService: "Dieses Passwort ähnelt dem Namen dieses Dienstes zu sehr.",
  passwordIsEmail: "Dieses Passwort ähnelt deiner E-Mail zu sehr.",
  passwordUnchanged: "Das ist dein jetziges Passwort.",
};
