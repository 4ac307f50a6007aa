/** English: the rules of every field. */

export const ABOUT = {
  apiDescription: "API description",
  mayLoad: "What this page may load",
  mayLoadText:
    "Its own files, responses of this service's API, and pictures you uploaded. Nothing else.",
  mayLoadWhy:
    "The browser enforces this, so your text can't run as a program or be sent to others. The files are identical to the source code.",
  mayKeep: "What it stores in this browser",
  keepsSession:
    "Your session, in a cookie that scripts can't read, and whether this is a shared computer.",
  keepsDrafts: "Unsaved text, for up to fourteen days. Sensitive fields only until the tab closes.",
  keepsSettings: "Theme, language, keyboard shortcuts, veiled words, and the seals you saw.",
  keepsNothingElse:
    "Signing out removes everything except these. Passwords, codes and tokens are never stored.",
  fieldRules: "Field rules",
  fieldRulesText: "The fields that each kind of record accepts.",
  editLine: "A line of text.",
  editText: "Text.",
  editOne: "One of:",
  editNumber: "A number.",
  editTime: "A point in time.",
  editYesNo: "Yes or no.",
  editWords: "A list of words.",
  editFile: "A file.",
  editJson: "JSON.",
  isRequired: "Required.",
  isSensitive: "Sensitive: hidden until you show it, and never in an address.",
  longest: "At most {count} characters.",
};
