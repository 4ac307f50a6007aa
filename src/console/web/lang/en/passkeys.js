/** English: what a passkey is used for, or why not. */
export default {
  usePasskey: "Use a passkey",
  passkeyUnused: "No passkey was used. Try again, or use your password.",
  passkeyKnown: "This device or security key already has a passkey for your account.",
  passkeyRefused: "This passkey was not accepted. Use your password.",
};
