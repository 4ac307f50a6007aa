/** English: the page Capture. */
export default {
  sharedTooLarge:
    "This was too much. You can share 64 KiB of text, and ten files of 16 MiB together.",
  sharedDropped:
    "One file did not arrive because you were not signed in. Share it again now.|{count} files did not arrive because you were not signed in. Share them again now.",
  onIphone: "On an iPhone",
  shortcutToken:
    "An iPhone shares through a shortcut. It needs a token that can only add captures and their files:",
  createToken: "Create token",
  shortcutText:
    "In the app Shortcuts, create a shortcut “Capture”. Let it receive text and URLs from the share sheet and ask for text if there is no input.",
  shortcutDate:
    "Add “Format Date” for the current date: ISO 8601, with time. It is the time of the capture and, with a random number after it, the Idempotency-Key.",
  shortcutRequest:
    "Add “Get Contents of URL” with the method POST, the two headers and the JSON below, with your token, the text and the date in place of the dots. The title is at most 200 characters. Address:",
};
