/** English: search. */
export default {
  searchWords: "Words",
  searchIn: "Search in",
  both: "Both",
  found: "Found",
  nothingFound: "No record contains all of these words.",
  oneFound: "1 record found.",
  manyFound: "{count} records found.",
  narrow: "Filter",
  newestFound: "The newest {count} are shown.",
  everyKind: "All kinds",
  onlyKind: "Only {name}",
  createThis: "Create “{words}”",
  createAs: "Create as",
};
