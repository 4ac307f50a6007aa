/** The starter taxonomy: tags and categories that most people can use. */

/** The tags, each by its name. */
export const STARTER_TAGS: readonly string[] = [
  "Book",
  "Celebration",
  "Gratitude",
  "Habit",
  "Idea",
  "Important",
  "Lesson",
  "Milestone",
  "Open question",
  "Regret",
  "Someday",
  "Tradition",
  "Turning point",
  "Waiting for",
];

/** A category of the starter taxonomy. No two of its terms, tags included, have the same name. */
export interface StarterCategory {
  readonly name: string;
  /** The name of its parent, which comes before it. */
  readonly parent?: string;
}

const CATEGORIES_BELOW: Readonly<Record<string, readonly string[]>> = {
  "Health": ["Body", "Mind", "Sleep", "Food", "Movement"],
  "People": ["Family", "Partnership", "Friends", "Neighbours"],
  "Work": ["Career", "Projects", "Colleagues"],
  "Learning": ["Reading", "Languages", "Skills"],
  "Money": ["Income", "Spending", "Saving"],
  "Home": ["Household", "Garden", "Repairs"],
  "Leisure": ["Music", "Sport", "Travel", "Making things"],
  "Meaning": ["Values", "Faith", "Giving"],
};

/** The categories, each after its parent. */
export const STARTER_CATEGORIES: readonly StarterCategory[] = Object.entries(CATEGORIES_BELOW)
  .flatMap(([parent, below]) => [{ name: parent }, ...below.map((name) => ({ name, parent }))]);
