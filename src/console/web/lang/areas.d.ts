/**
 * The sentences of each area, as the English files have them; a test holds every language to them.
 */
export interface Areas {
  records: typeof import("./en/records/index.js").default;
  today: typeof import("./en/today.js").default;
  capture: typeof import("./en/capture.js").default;
  account: typeof import("./en/account/index.js").default;
  memories: typeof import("./en/memories.js").default;
  imports: typeof import("./en/imports.js").default;
  import_rules: typeof import("./en/import_rules.js").default;
  coming_from: typeof import("./en/coming_from.js").default;
  modules: typeof import("./en/modules.js").default;
  people: typeof import("./en/people.js").default;
  profile: typeof import("./en/profile.js").default;
  decisions: typeof import("./en/decisions.js").default;
  entered: typeof import("./en/entered.js").default;
  life: typeof import("./en/life.js").default;
  add_line: typeof import("./en/add_line.js").default;
  figures: typeof import("./en/figures.js").default;
  resources: typeof import("./en/resources.js").default;
}
