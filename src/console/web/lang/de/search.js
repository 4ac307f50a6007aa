/** German: search. */
export default {
  searchWords: "Wörter",
  searchIn: "Suchen in",
  both: "Beides",
  found: "Gefunden",
  nothingFound: "Keine Aufzeichnung enthält alle diese Wörter.",
  oneFound: "1 Aufzeichnung gefunden.",
  manyFound: "{count} Aufzeichnungen gefunden.",
  narrow: "Filtern",
  newestFound: "Die neuesten {count} werden gezeigt.",
  everyKind: "Alle Arten",
  onlyKind: "Nur {name}",
  createThis: "„{words}“ anlegen",
  createAs: "Anlegen als",
};
