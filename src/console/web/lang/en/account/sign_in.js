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
    "You have no assistant with the client ID that the program sent. Compare it with the one of your assistant, which may have ended or belong to another account.",
  "authorization.callback":
    "Your assistant is for another program: it does not accept the address to which this one wants to return. Lend to an assistant for this program.",
  "authorization.bound":
    "Your assistant already belongs to another connection of this program. Lend to another assistant for this connection.",
  "refusal.invalid_request":
    "The program did not ask in the way that is needed. Update it, or ask its maker.",
  "refusal.unsupported_response_type":
    "The program asks for a kind of sign-in that this service does not have. Update it, or ask its maker.",
  "refusal.invalid_target":
    "The program asks for another address than that of this service. Check the address in the program.",
};
