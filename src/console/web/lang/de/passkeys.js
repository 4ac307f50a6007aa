/** German: what a passkey is used for, or why not. */
export default {
  usePasskey: "Passkey benutzen",
  passkeyUnused:
    "Es wurde kein Passkey benutzt. Versuche es noch einmal, oder benutze dein Passwort.",
  passkeyKnown:
    "Dieses Gerät oder dieser Sicherheitsschlüssel hat schon einen Passkey für dein Konto.",
  passkeyRefused: "Dieser Passkey wurde nicht angenommen. Benutze dein Passwort.",
};
