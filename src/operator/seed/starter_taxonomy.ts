/** The starter taxonomy: tags and categories for most people. */

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

/** No two terms, tags included, have the same name. */
interface StarterCategory {
  readonly name: string;
  /** The parent's name; the parent comes first. */
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

/** Each after its parent. */
export const STARTER_CATEGORIES: readonly StarterCategory[] = Object.entries(CATEGORIES_BELOW)
  .flatMap(([parent, below]) => [{ name: parent }, ...below.map((name) => ({ name, parent }))]);
