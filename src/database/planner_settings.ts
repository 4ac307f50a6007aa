export const PLANNER_SETTINGS: Readonly<Record<string, string>> = {
  // Lists are index scans; the default is for a disk that seeks.
  random_page_cost: "1.1",
  // A plan made while a table was small stays for the session, and must suit the grown table.
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  // Each list has an index in its order; another one would require sorting the whole module.
  enable_incremental_sort: "off",
};
