/** The sentences of each area, as the English files have them; a test holds every language to them. */
export interface Areas {
  set_up: typeof import("./en/set_up.js").default;
  records: typeof import("./en/records.js").default;
  passkeys: typeof import("./en/passkeys.js").default;
  assistants: typeof import("./en/assistants.js").default;
  account: typeof import("./en/account.js").default;
  calendar: typeof import("./en/calendar.js").default;
  witness: typeof import("./en/witness.js").default;
  memories: typeof import("./en/memories.js").default;
  imports: typeof import("./en/imports.js").default;
  modules: typeof import("./en/modules.js").default;
  activity: typeof import("./en/activity.js").default;
  search: typeof import("./en/search.js").default;
  home: typeof import("./en/home.js").default;
  people: typeof import("./en/people.js").default;
  profile: typeof import("./en/profile.js").default;
  decisions: typeof import("./en/decisions.js").default;
  resources: typeof import("./en/resources.js").default;
}
