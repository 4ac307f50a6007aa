/**
 * Writes that wait until the service has them: `add`, `remember`, `sync`. Each is stored in a file
 * with its key before it is sent, so that it is neither lost nor done twice.
 */

import { AccountMovedError, type Client, Refusal } from "../client/mod.ts";
import { mayPass } from "../client/sender.ts";
import type { CreateRecord_capture, Operations } from "../client/wire.ts";
import { ignoreNotFound } from "../core/files.ts";
import { CommandError, EXIT, UsageError } from "./failures.ts";
import { connect, makeFolder, stateFolder, writePrivate } from "./folders.ts";
import { machineTime, withoutZone } from "./machine_clock.ts";
import type { Input } from "./options.ts";
import { showFailure } from "./show_failure.ts";
import { note, print, readText } from "./terminal.ts";

const TITLE_LENGTH = 200;
const NUMBER_LENGTH = 12;
/** Refusals by a service with other zone data; release 2.0.0 answers with the last. */
const ZONE_RULES: readonly unknown[] = ["field.time_zone", "field.time_offset", "field.datetime"];

/** A write; the same key always has the same write. */
type Write =
  | Sent<"record.create"> & {
    readonly path: { readonly moduleCode: "capture" };
    readonly body: CreateRecord_capture;
  }
  | Sent<"memory.create">;

interface Sent<Name extends "record.create" | "memory.create"> {
  readonly operation: Name;
  readonly key: string;
  readonly body: Operations[Name]["body"];
}

/** The record or memory that the service made. */
type Made = Operations["record.create" | "memory.create"]["data"];

/** Adds a capture. */
export async function add(input: Input): Promise<number> {
  const text = await readWords(input);
  return await send(input, {
    operation: "record.create",
    key: crypto.randomUUID(),
    path: { moduleCode: "capture" },
    body: {
      title: titleOf(text),
      payload: {
        contentType: "TEXT",
        originalContent: text,
        targetModule: "memory",
        sourceApp: "API",
        capturedAt: machineTime(new Date()),
        routeStatus: "INBOX",
      },
    },
  });
}

/** Adds a memory. */
export async function remember(input: Input): Promise<number> {
  const text = await readWords(input);
  return await send(input, {
    operation: "memory.create",
    key: crypto.randomUUID(),
    body: { title: titleOf(text), memoryType: "EVENT", originalContent: text },
  });
}

/** Sends all waiting writes. */
export async function sync(input: Input): Promise<number> {
  return (await waitingNames()).length === 0 ? 0 : await sendWaiting(input, null);
}

/** @throws UsageError for a blank text. */
async function readWords({ words: [word = "-"] }: Input): Promise<string> {
  const text = word === "-" ? await readText() : word;
  if (text.trim() === "") throw new UsageError("The text is blank");
  return text;
}

/** The beginning of the first line that has any text, as a title may be. */
function titleOf(text: string): string {
  const line = text.split(/\r\n|[\r\n]/).find((each) => each.trim() !== "") ?? "";
  const shown = line.replaceAll(/\p{Cc}/gu, " ");
  const title = [...shown].slice(0, TITLE_LENGTH).join("");
  return title.trim() === "" ? [...shown.trimStart()].slice(0, TITLE_LENGTH).join("") : title;
}

/** Stores a write, then sends all writes before it, and the write itself. */
async function send(input: Input, write: Write): Promise<number> {
  const numbers = (await waitingNames()).map((name) => Number(name.slice(0, NUMBER_LENGTH)) || 0);
  const number = String(Math.max(0, ...numbers) + 1).padStart(NUMBER_LENGTH, "0");
  const name = `${number}-${write.key}.json`;
  await writePrivate(`${stateFolder()}/waiting`, name, JSON.stringify(write));
  return await sendWaiting(input, { name, write });
}

/**
 * Sends the oldest first, and continues after a refused one.
 *
 * @param own The last file to send; null for all.
 */
async function sendWaiting(
  input: Input,
  own: { readonly name: string; readonly write: Write } | null,
): Promise<number> {
  try {
    const client = await connect(input);
    using _ = await takeLock();
    const names = await waitingNames();
    const before = names.filter((name) => own === null || name < own.name);
    let exitCode = 0;
    // If another process has sent our own already, the same key gets the same answer.
    for (const name of own === null ? before : [...before, own.name]) {
      const write = name === own?.name ? own.write : await readWrite(name);
      const made = await deliver(input, client, name, write);
      if (made === null) exitCode = EXIT.refused;
      else if (own === null || name === own.name) {
        const id = "recordId" in made ? made.recordId : made.memoryId;
        print(input.isJson ? JSON.stringify(made) : id);
      }
    }
    return exitCode;
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) throw error;
    return await keep(input, error);
  }
}

/**
 * Sends one file.
 *
 * @param write Null if the file is not one of ours.
 * @returns null if it was refused and set aside.
 * @throws Refusal, Unreachable if it has to wait.
 */
async function deliver(
  input: Input,
  client: Client,
  name: string,
  write: Write | null,
): Promise<Made | null> {
  const state = stateFolder();
  try {
    if (write === null) throw new CommandError(`${name} is not JSON`);
    const data = await sendWrite(client, write).catch(async (error) => {
      const other = isZoneRefused(error) ? withOffsetAlone(write) : null;
      if (other === null) throw error;
      await writePrivate(`${state}/waiting`, name, JSON.stringify(other));
      return await sendWrite(client, other);
    });
    await Deno.remove(`${state}/waiting/${name}`).catch(ignoreNotFound);
    return data;
  } catch (error) {
    const isBroken = error instanceof CommandError || error instanceof RangeError;
    const isFinal = isBroken || error instanceof Refusal && !canWait(error);
    if (!isFinal) throw error;
    showFailure(input, error);
    await makeFolder(`${state}/refused`);
    await Deno.rename(`${state}/waiting/${name}`, `${state}/refused/${name}`).catch(ignoreNotFound);
    return null;
  }
}

async function sendWrite(client: Client, write: Write): Promise<Made> {
  const { key } = write;
  const { data } = write.operation === "record.create"
    ? await client.call(write.operation, { path: write.path, body: write.body, key })
    : await client.call(write.operation, { body: write.body, key });
  return data;
}

function isZoneRefused(error: unknown): boolean {
  const rules = error instanceof Refusal ? error.details["rules"] : null;
  return Array.isArray(rules) && rules.some((rule) => ZONE_RULES.includes(rule));
}

/** The capture under another key, which depends on the first; null if its time has no zone. */
function withOffsetAlone(write: Write): Write | null {
  if (write.operation !== "record.create") return null;
  const { body, body: { payload }, key } = write;
  const capturedAt = withoutZone(payload.capturedAt);
  if (capturedAt === payload.capturedAt) return null;
  return { ...write, key: `${key}-offset`, body: { ...body, payload: { ...payload, capturedAt } } };
}

/** True if another try may succeed, perhaps after another sign-in. */
function canWait(refusal: Refusal): boolean {
  return refusal.status === 401 || refusal instanceof AccountMovedError || mayPass(refusal);
}

/** Reports why the rest waits, and how many wait. */
async function keep(input: Input, error: unknown): Promise<number> {
  const exitCode = showFailure(input, error);
  const waiting = (await waitingNames()).length;
  note(`${waiting} waiting for the next add, remember or sync`);
  if (input.isJson) print(JSON.stringify({ kept: true, waiting }));
  return exitCode === EXIT.refused && error instanceof Refusal ? EXIT.unreachable : exitCode;
}

/** Names of the waiting files, oldest first. */
async function waitingNames(): Promise<string[]> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(`${stateFolder()}/waiting`));
    return entries.map(({ name }) => name).filter((name) => !name.startsWith(".")).sort();
  } catch (error) {
    ignoreNotFound(error);
    return [];
  }
}

async function readWrite(name: string): Promise<Write | null> {
  try {
    const write = JSON.parse(await Deno.readTextFile(`${stateFolder()}/waiting/${name}`));
    const isOurs = ["record.create", "memory.create"].includes(write?.operation) &&
      typeof write.key === "string" && typeof write.body === "object";
    return isOurs ? write : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Waits until no other process sends. */
async function takeLock(): Promise<Disposable> {
  await makeFolder(stateFolder());
  const options = { create: true, write: true, mode: 0o600 };
  const file = await Deno.open(`${stateFolder()}/lock`, options);
  await file.lock(true);
  return file;
}
