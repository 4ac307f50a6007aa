/** The `.txt` files of a vault: notes, or files of other notes. */

import { entryBytes, type ReadingBudget } from "../reading_budget.ts";
import type { NoteFiles } from "./note_files.ts";

/**
 * Returns the `.txt` files that other notes link to. The links in such a file do not count. The
 * first by path of several texts that link only to each other is a note.
 *
 * @param notes All notes that come in, and all `.txt` files.
 */
export async function linkedTexts(
  notes: AsyncIterable<{ readonly path: string; readonly text: string }>,
  noteFiles: NoteFiles,
  budget: ReadingBudget,
): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  const links = new Map<string, ReadonlySet<string>>();
  for await (const { path, text } of notes) {
    const isText = /\.txt$/i.test(path);
    const named = await noteFiles.textsNamedIn(text, path);
    for (const each of named) {
      if (!isText) files.add(each);
      budget.hold(entryBytes(each), 1);
    }
    if (isText) links.set(path, named);
  }
  addLinked(files, links);
  return files;
}

/** Adds the texts that notes among the texts link to. */
function addLinked(files: Set<string>, links: ReadonlyMap<string, ReadonlySet<string>>): void {
  const texts = [...links.keys()].filter((path) => !files.has(path)).sort();
  /** For each text the number of texts that link to it and may be notes. */
  const counts = new Map(texts.map((path) => [path, 0]));
  const targetsOf = (path: string) => [...links.get(path) ?? []].filter((each) => counts.has(each));
  for (const path of texts) {
    for (const each of targetsOf(path)) counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  const unlinked = texts.filter((path) => counts.get(path) === 0);
  const notes = new Set<string>();
  const addNote = (note: string) => {
    notes.add(note);
    for (const file of targetsOf(note)) {
      if (notes.has(file) || files.has(file)) continue;
      files.add(file);
      for (const each of targetsOf(file)) {
        const count = (counts.get(each) ?? 0) - 1;
        counts.set(each, count);
        if (count === 0) unlinked.push(each);
      }
    }
  };
  for (const first of texts) {
    for (const note of unlinked) if (!notes.has(note) && !files.has(note)) addNote(note);
    unlinked.length = 0;
    if (!notes.has(first) && !files.has(first)) addNote(first);
  }
}
