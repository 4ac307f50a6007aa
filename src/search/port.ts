/** What search offers to whatever writes records, and nothing else of it. */

export { type IndexedRecord, indexRow, indexRows } from "./index_store.ts";
export { searchedTexts } from "./texts.ts";
