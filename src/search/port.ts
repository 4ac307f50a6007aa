/** The part of search that other rooms may use. */

export { readFilledPage } from "./filled_page.ts";
export type { SearchResult } from "./page.ts";
export { readWords } from "./search_routes.ts";
