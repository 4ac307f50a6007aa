/** English: sessions and tokens. */

export const CREDENTIALS = {
  sessionsText:
    "Each session is a browser or program that is signed in. If you don't recognise one, end it and change your password.",
  thisSession: "This session",
  signedInAt: "Signed in {time}",
  lastSeen: "Last seen {time}",
  endsAt: "Ends {time}",
  sameAddress: "Your current address",
  otherAddress: "A different address",
  end: "End",
  ended: "Ended.",
  endSession: "End {name}, signed in {since}",
  endOthers: "End all others",
  tokensText:
    "A token lets a program use your account without your password, with the permissions you choose.",
  newToken: "Create token",
  neverUsed: "Never used",
  endToken: "End {name}",
  tokenNameHint: "For example, the program that uses it.",
  tokenPermissions: "Permissions",
  presetRead: "Read everything except secrets and the audit trail",
  presetInbox: "Only add captures and their files",
  presetCapture: "Only add records and files",
  presetOwn: "Custom",
  chooseOne: "Choose at least one permission.",
  tokenLifetime: "Expires after",
  days: "{count} days",
  tokenOnce:
    "This is the token {name}. It is shown only now, and not stored in the browser: copy it to your program.",
};
