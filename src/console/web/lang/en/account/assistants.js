/** English: assistants and calendars. */

export const ASSISTANTS = {
  assistantsText:
    "An assistant reads the modules that you lend to it, and only proposes changes. Nothing is written until you accept.",
  assistantsOff: "Assistants are off. The operator can turn them on with ASSISTANTS=true.",
  newAssistant: "Lend to an assistant",
  assistantNameHint: "How you recognise it. Drafts that it proposes carry this name.",
  lentModules: "It may read",
  assistantProposes: "It may propose changes",
  assistantReads: "It only reads",
  sensitiveFields: "Sensitive fields",
  sensitiveHidden: "Hidden",
  sensitiveShown: "It reads them",
  assistantLifetime: "It ends after",
  assistantOnce:
    "This is the token of {name} for {address}. It is shown only now: copy it into the assistant's program.",
  assistantStored: "I have stored it",
  assistantProgram: "Program",
  assistantProgramHint:
    "Most programs open a page of this service, where you allow them. You do not copy a secret.",
  otherProgram: "Another program that signs in",
  pastedToken: "Another program, with a pasted token",
  callbacks: "Callbacks",
  callbacksHint:
    "Addresses to which the program returns after the sign-in (redirect URIs), one on each line, as its documentation states them. For addresses on localhost, the port does not matter.",
  cloudsNeed:
    "This program connects from the internet, so it needs a public https address on port 443. It cannot reach {origin}. Claude Code, VS Code and Cursor run on your device and can.",
  assistantReady:
    "Enter this in the program. It then opens a page of this service, where you allow {name} to sign in.",
  assistantEntered: "I have entered it",
  assistantAddress: "Address",
  clientId: "Client ID",
  clientSecret: "Client secret",
  noClientSecret: "Leave it empty.",
  "setUp.CLAUDE":
    "In Claude, open Settings, Connectors, and add a custom connector. The client ID is under Advanced settings.",
  "setUp.CLAUDE_CODE": "Run this in a terminal. Then enter /mcp in Claude Code and choose records.",
  "setUp.CHATGPT":
    "In ChatGPT, turn on developer mode in the advanced settings of apps. Create an app with this address and OAuth; the client ID is under its advanced OAuth settings.",
  "setUp.VSCODE":
    "In VS Code, run MCP: Open User Configuration and add this. Then start records there.",
  "setUp.CURSOR": "Add this to Cursor's file mcp.json. Then choose Connect in its MCP settings.",
  "setUp.OTHER": "Enter this in the settings of the program.",
  connectAssistant: "Connect {name}",
  noSignIns: "Not signed in yet",
  signIns: "1 sign-in|{count} sign-ins",
  boundTo: "Bound to {callback}",
  "assistant.sign_in": "Assistants cannot sign in to this service.",
  "callback.count": "Enter 1 to 5 callbacks.",
  "callback.format":
    "Each callback is an https address, or an http address on localhost, 127.0.0.1 or [::1], of at most 500 characters and without #.",
  assistantRuns: "Until {time}",
  noProposals: "Nothing is proposed.",
  proposedChange: "Change: {name}",
  proposedText: "Draft for a memory",
  assistantProposedAt: "Proposed {time}",
  proposalEnds: "Expires {time}",
  proposedRecordLink: "Open the record",
  acceptProposal: "Accept",
  proposalAccepted: "Accepted and saved.",
  proposalRejected: "Rejected. Nothing was changed.",
  calendarText:
    "A calendar program can show your due items. Anyone who has the address can read that calendar, and nothing else.",
  comingUp: "The next {days} days",
  calendarFeeds: "Addresses for calendar programs",
  newFeed: "New calendar address",
  newAddress: "Replace address",
  addressOnce:
    "This is the address of {name}. It is shown only now: copy it into your calendar program.",
  addressAdded: "I have added it",
  feedKinds: "Shows",
  feedDetail: "Detail",
  feedDetailHint:
    "Others may see your calendar. With times alone, no title and no name leaves this service.",
  feedTimed: "Alert before a time",
  feedTimedHint: "Some programs ignore this and use their own settings.",
  timeBefore: "{time} before",
  atTheTime: "At the time itself",
  feedAllDay: "Alert on a day",
  feedLifetime: "Valid for",
  howToAdd: "How to add an address",
  addApple:
    "In Calendar, choose File, New Calendar Subscription, and paste the address. Clear Remove Alerts to be reminded. On an iPhone: Settings, Calendar, Accounts, Add Account, Other, Add Subscribed Calendar.",
  addGoogle:
    "In a browser, choose Other calendars, From URL, and paste the address. Google reads it once or twice a day, and sends its own notifications instead of the calendar's alerts.",
  addThunderbird:
    "Choose New Calendar, On the Network, and paste the address. Thunderbird reads it as often as you set, and shows its alerts.",
  addAndroid:
    "Install ICSx5, which DAVx5 can open, too, choose Add, and paste the address. ICSx5 reads it as often as you set, and shows its alerts.",
};
