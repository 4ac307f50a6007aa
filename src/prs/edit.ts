/** `edit`: a record in the editor, with the revision that was read. */

import { escapeControls } from "../core/terminal_text.ts";
import { type Client, Refusal } from "../client/mod.ts";
import type { Operations, Record as PrsRecord } from "../client/wire.ts";
import { CommandError, UsageError } from "./failures.ts";
import { connect, stateFolder, writePrivate } from "./folders.ts";
import type { Input } from "./options.ts";
import { findRecord, localPayload, shown } from "./records.ts";
import { note, print, printable } from "./terminal.ts";

type Modify = Operations["record.modify"];

/** The members of a record that a change may name. */
type Editable = Partial<Pick<PrsRecord, "title" | "summary" | "payload">>;

/** Opens a record in the editor and sends the changes. */
export async function edit(input: Input): Promise<void> {
  const editor = editorWords();
  const client = await connect(input);
  const record = await findRecord(client, input.words[0] ?? "");
  const { moduleCode, recordId, revision } = record;
  const folder = `${stateFolder()}/edit`;
  const name = `${recordId}-${crypto.randomUUID()}.json`;
  const path = `${folder}/${name}`;
  const text = escapeControls(JSON.stringify(editableOf(record), null, 2));
  await writePrivate(folder, name, `${text}\n`);
  try {
    await runEditor(editor, path);
    const changes = changesOf(record, await readEdited(path));
    if (Object.keys(changes).length > 0) {
      const { data } = await client.call("record.modify", {
        path: { moduleCode, recordId } as Modify["path"],
        body: { ...changes, expectedRevision: revision } as Modify["body"],
      });
      print(input.isJson ? JSON.stringify(data) : `${moduleCode}/${recordId}`);
    }
  } catch (error) {
    note(`Your text is kept: ${path}`);
    const isConflict = error instanceof Refusal && error.code === "REVISION_CONFLICT";
    if (isConflict) await showConflict(client, record, await readEdited(path)).catch(() => {});
    throw error;
  }
  await Deno.remove(path);
}

function editableOf(record: PrsRecord): Editable {
  const { title, summary } = record;
  return { title, summary, payload: localPayload(record) };
}

/** @throws UsageError without an editor. */
export function editorWords(): string[] {
  const words = (Deno.env.get("VISUAL") || Deno.env.get("EDITOR") || "").split(/\s+/);
  const named = words.filter((word) => word !== "");
  if (named.length === 0) throw new UsageError("Set VISUAL or EDITOR");
  return named;
}

async function runEditor([program = "", ...args]: readonly string[], path: string): Promise<void> {
  const run = async () => await new Deno.Command(program, { args: [...args, path] }).spawn().status;
  const { success } = await run().catch(() => ({ success: false }));
  if (!success) throw new CommandError("The editor failed");
}

/** @throws UsageError if the text is not JSON of an `Editable`, or has an inexact integer. */
async function readEdited(path: string): Promise<Editable> {
  try {
    const { title, summary, payload, ...others } = JSON.parse(
      await Deno.readTextFile(path),
      exactly,
    );
    const isPayload = typeof payload === "object" && payload !== null && !Array.isArray(payload);
    if (isPayload && Object.keys(others).length === 0) return { title, summary, payload };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  throw new UsageError("The text is not JSON of title, summary and payload");
}

/** A reviver that rejects an integer that reading would round. */
function exactly(_: string, value: unknown, { source = "" }: { source?: string } = {}): unknown {
  const isWhole = typeof value === "number" && /^-?\d+$/.test(source);
  if (isWhole && !Number.isSafeInteger(value) && String(value) !== source) {
    throw new UsageError("A number has too many digits: write it in quotation marks");
  }
  return value;
}

/** The body of the change. A title or summary that was left out stays as it is. */
function changesOf(record: PrsRecord, { title, summary, payload = {} }: Editable): Editable {
  const before = localPayload(record);
  const changed = Object.entries(payload).filter(([name, value]) => !isEqual(before[name], value));
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(payload, name));
  return {
    ...title !== undefined && title !== record.title && { title },
    ...summary !== undefined && summary !== record.summary && { summary },
    ...changed.length > 0 && { payload: Object.fromEntries(changed) },
    ...removed.length > 0 && { payloadRemove: removed },
  };
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Shows the revisions, and the members in which the edited text and the present record differ. */
async function showConflict(client: Client, record: PrsRecord, edited: Editable): Promise<void> {
  const present = await findRecord(client, `${record.moduleCode}/${record.recordId}`);
  note(`It was of revision ${record.revision}; the present revision is ${present.revision}`);
  const flat = ({ title, summary, payload }: Editable): Record<string, unknown> => {
    return { title, summary, ...payload };
  };
  const [yours, theirs] = [flat(edited), flat(editableOf(present))];
  for (const name of new Set([...Object.keys(yours), ...Object.keys(theirs)])) {
    if (isEqual(yours[name], theirs[name])) continue;
    note(`${printable(name)}\n  yours:   ${shown(yours[name])}\n  present: ${shown(theirs[name])}`);
  }
}
