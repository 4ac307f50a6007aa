/** English: set-up and new passwords. */
export default {
  setUp: "Set up your records",
  setUpText: "There is no account yet. The first one is yours, and owns everything stored here.",
  setUpLink:
    "When the service started, it printed a link that ends in #setup=… Open that link, or paste it here.",
  setUpToken: "Set-up link or token",
  createAccount: "Create account",
  displayName: "Your name",
  passwordTooShort: "A password has at least 12 characters, and at most 256.",
  passwordKnown: "This password is known from leaks or easily guessed. Choose another one.",
  passwordRepetitive: "This password repeats itself, or has too few different characters.",
  passwordSequence: "This password follows the alphabet, the digits or the keyboard.",
  passwordIsService: "This password is too similar to the name of this service.",
  passwordIsEmail: "This password is too similar to your email.",
  passwordUnchanged: "This is your current password.",
};
