/** Planner settings for the statements of the service, on both engines. */
export const PLANNER_SETTINGS: Readonly<Record<string, string>> = {
  // Lists are walks over an index; the default is for a disk that seeks.
  random_page_cost: "1.1",
  // Every statement walks an index. A plan made while a table was small stays for the session,
  // and must be the one for the grown table.
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  // Each list has an index that is in its order; another would read the whole module to sort it.
  enable_incremental_sort: "off",
};
