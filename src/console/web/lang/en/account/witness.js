/** English: seals that the browser has seen. */

export const WITNESS = {
  witnessText:
    "This browser remembers the newest seal of your audit trail and recomputes the trail from it, so you see here if an entry was changed, added or removed. The next check includes entries from the last ten minutes, which are not sealed yet.",
  rewriteCheck: "Was anything rewritten?",
  checkedSoFar: "Checking… {count} entries so far",
  firstCheck:
    "This is your first check in this browser: every entry fits its seal. Later checks compare with the newest seal, which is now remembered here.",
  nothingRewritten: "Nothing was rewritten since your last check on {time}.",
  partlyChecked:
    "The trail continues from the seal you saw on {time}, and everything since then fits. Older entries ({count}) were not recomputed this time.",
  recomputed: "Entries recomputed: {entries}, seals: {seals}. Newest seal: {number}",
  checkAll: "Check every entry",
  notSecure:
    "Without HTTPS the browser can't check this. Open the page with https, or on the computer where the service runs.",
  notChecked: "This couldn't be checked now. The seals you saw are still remembered.",
  trailBroken: "The trail doesn't fit its own seals",
  trailChanged: "This is not the trail you saw before",
  faultReplaced:
    "Seal {number} now has another digest. The trail was rewritten, or an older backup was restored.",
  faultShorter:
    "Seal {number}, which you saw, is gone. Entries were removed, unless an older backup was restored.",
  faultEntries:
    "Seal {number} doesn't fit its entries. At least one entry was changed, added or removed after it was sealed.",
  faultChain: "Seal {number} is missing or altered, or doesn't follow the seal before it.",
  whatToDo: "What to do",
  keepDigests: "Copy the digests below. This browser keeps the one you saw.",
  askOperator: "Ask the operator whether a backup was restored, and when.",
  compareBackup:
    "Ask the operator to compare the trail, and an earlier backup, with the digest you saw:",
  digestSeen: "You saw",
  digestNow: "The service shows",
  sealDigest: "Seal {number}: {digest}",
  noSeal: "no such seal",
  noneSeen: "nothing yet",
  acceptTrail: "Remember the new trail instead",
  acceptQuestion: "Forget the seal you saw?",
  acceptText:
    "Do this only if you know why the trail changed. The next check then compares with the new trail.",
  whatHappened: "What happened since {time}",
  whatHappenedFirst: "What happened so far",
  nothingHappened: "Nothing needs your attention.",
  onlyNewest: "Only the newest 5,000 events were counted.",
  seeEvents: "See all events",
  sinceSignIn: "Since you last signed in here on {time}",
  seeWhatHappened: "See what happened",
  newSources:
    "1 sign-in from a new browser or address|Sign-ins from {count} new browsers or addresses",
  wrongTries: "1 wrong password or code|{count} wrong passwords or codes",
  withoutCode: "1 correct password without a code|{count} correct passwords without a code",
  passwordChanges: "Password changed|Password changed {count} times",
  factorChanges:
    "1 change or recovery of the second factor|{count} changes or recoveries of the second factor",
  passkeyChanges:
    "1 passkey added, removed or possibly copied|{count} passkeys added, removed or possibly copied",
  operatorActs:
    "1 change to your account by the operator|{count} changes to your account by the operator",
  newTokens: "1 new token|{count} new tokens",
  newAssistants: "1 new assistant|{count} new assistants",
  reusedTokens:
    "1 sign-in of an assistant ended, because a token was used twice|{count} sign-ins of assistants ended, because tokens were used twice",
  assistantReadings: "1 call of an assistant|{count} calls of assistants",
  exports: "1 export|{count} exports",
  tokenSecrets:
    "Secret content was read by a token|Secret content was read by tokens {count} times",
  secretReads:
    "Secret content was read once while signed in|Secret content was read {count} times while signed in",
  proof: "Proof",
  proofHolds: "This entry is as it was sealed: this browser recomputed the seal from it.",
  proofFails: "This entry doesn't fit its seal: it was changed afterwards.",
  proofPlace: "Entry {place} of {count} in the seal",
  sealed: "Digest of the seal",
  proofRoot: "Root",
  proofPath: "Path to the root",
  entryOperation: "Operation",
  entryRequest: "Request",
  changesText: "Every change of your records, newest first.",
  whatChanged: "What changed",
  featuresText: "This kind of record has these features, now or in a later version.",
  runFeature: "Run",
  runFeatureOf: "Run {name}",
  executionRuns: "Runs",
  noExecutions: "Nothing was run on this record.",
  executionOutput: "Result",
};
