import type { SampleTaxonomy } from "../sample.ts";

/** The tags and categories of the sample life, and the records that carry them. */
export const DEMO_TAXONOMY: SampleTaxonomy = {
  tags: [
    {
      name: "Turning point",
      term: { description: "After it, something went on another way.", color: "#8e24aa" },
      records: ["timeline/Lena is born", "review/The year before this one"],
    },
    {
      name: "Grandmother",
      term: { aliases: ["Grandma", "Oma"], color: "#6d4c41" },
      records: [
        "timeline/The summers at grandmother's",
        "capture/Recipe from grandmother's tin",
        "media/Grandmother's plum cake",
      ],
    },
    {
      name: "Plums",
      records: ["knowledge/Pruning plum trees", "media/Grandmother's plum cake"],
    },
    {
      name: "Running",
      term: { aliases: ["Half marathon"], color: "#1e88e5" },
      records: ["action/Run a half marathon", "health/Mood after the long run"],
      renamed: "Long runs",
    },
    {
      name: "Old department",
      records: ["community/The old department", "publication/About me, for the old department"],
      deactivated: true,
    },
  ],
  categories: [
    { name: "People", term: { sortOrder: 10 } },
    { name: "Family", parent: "People", term: { color: "#e53935" } },
    {
      name: "Children",
      parent: "Family",
      records: ["timeline/Lena is born", "legacy/A letter to Lena at eighteen"],
    },
    { name: "Parents", parent: "Family", records: ["routine/Call mother"] },
    { name: "Health", term: { aliases: ["Body and mind"], color: "#43a047", sortOrder: 20 } },
    {
      name: "Sport",
      parent: "Health",
      records: [
        "action/Run a half marathon",
        "action/Sixteen-week training plan",
        "routine/Swim on Tuesday",
      ],
    },
    { name: "Home", term: { sortOrder: 30 }, records: ["routine/Descale the coffee machine"] },
    {
      name: "Garden",
      parent: "Home",
      term: { description: "Plot 41, and what may yet become of it." },
      records: [
        "place/The allotment",
        "community/The allotment association",
        "legacy/What to do with the allotment",
      ],
    },
    { name: "Orchard", parent: "Garden", records: ["knowledge/Pruning plum trees"] },
  ],
};
