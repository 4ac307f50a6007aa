/** English: the sign-in of assistants. */

export const SIGN_IN = {
  allowSignIn: "Allow {name} to sign in?",
  allowSignInOf: "Which assistant signs in?",
  allowWarning: "Allow only if you have just started this in the program.",
  allow: "Allow",
  deny: "Deny",
  pressAgain: "Press Allow again to confirm.",
  signInEnds: "It ends",
  answerTo: "Returns to",
  onThisDevice: "A program on this device",
  backToProgram: "Back to the program",
  answered: "Answered",
  answeredText: "The program has your answer. You can close this page.",
  cannotAllow: "This sign-in is not possible",
  noAssistantFits:
    "None of your assistants is for this program. Lend to one first, then try again here.",
  "authorization.request":
    "The address of this page is not complete. Start the sign-in again in the program.",
  "authorization.client":
    "You have no assistant with the client ID that the program sent. The assistant may have ended, or belong to another account. Compare the client ID in the program with your assistant's.",
  "authorization.callback":
    "Your assistant is for another program: it does not accept the address to which this program returns. Lend to an assistant for this program.",
  "authorization.bound":
    "Your assistant already belongs to another connection of this program. Lend to another assistant for this connection.",
  "refusal.invalid_request":
    "The program's request is incomplete or malformed. Update the program, or ask its maker.",
  "refusal.unsupported_response_type":
    "The program asks for a kind of sign-in that this service does not have. Update the program, or ask its maker.",
  "refusal.invalid_target":
    "The program asks for an address that is not this service's. Check the address in the program.",
};
