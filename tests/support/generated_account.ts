/** Account files of any size, generated from a seed line by line. */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { firstIdAt } from "../../src/core/ids.ts";
import { manifestLine, OWN_FILE } from "../../src/portability/json_lines.ts";
import { LINE_TYPES } from "../../src/portability/line_types.ts";
import { canonicalJson } from "../../src/validate/canonical.ts";
import {
  decisionLines,
  identityLines,
  importLines,
  type Lines,
  resourceLines,
} from "./generated_families.ts";
import { PERSON_REVISIONS, personLines, RELATIONSHIP_TYPE } from "./generated_person.ts";
import { type Random, seededRandom } from "./random.ts";
import type { Json } from "./world.ts";

export interface LifeSize {
  /** The number of records, projections included. */
  readonly records: number;
  readonly attachments: number;
  readonly attachmentBytes: number;
}

/** The time of the first identifier; each further one is a millisecond later. */
const BEGINNING = Date.parse("2024-01-01T00:00:00.000Z");
const PART_BYTES = 48 * 1024;

/** The whole file. */
export async function wholeAccount(
  seed: number,
  size: LifeSize,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts = await Array.fromAsync(generatedAccount(seed, size));
  return await new Blob(parts as BlobPart[]).bytes();
}

/** Some lines at a time. */
export async function* generatedAccount(seed: number, size: LifeSize): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  const counts = Object.fromEntries(LINE_TYPES.map(({ type }) => [type, 0]));
  let waiting: string[] = [`${OWN_FILE.headLine}\n`];
  const take = () => {
    const bytes = Buffer.from(waiting.join(""));
    waiting = [];
    hash.update(bytes);
    return bytes;
  };
  for (const line of linesOf(new Life(seed, size))) {
    if (line.type in counts) counts[line.type] = (counts[line.type] ?? 0) + 1;
    waiting.push(`${canonicalJson(line)}\n`);
    if (waiting.length < 100 && line.type !== "bytes") continue;
    yield take();
    // Yields to the reader.
    await Promise.resolve();
  }
  yield take();
  yield Buffer.from(`${manifestLine(counts, hash.digest("hex"))}\n`);
}

/** Ordered by type. */
function* linesOf(life: Life): Generator<Json> {
  for (const { type, hasBytes } of LINE_TYPES) {
    const count = hasBytes ? life.size.attachments : life.size.records;
    for (let index = 0; index < count; index++) yield* life.lines(type, index);
  }
}

/** Modules of a life's records. */
type Kind = "memory" | "taxonomy" | "commitment" | "decision" | "relationship" | "resource";

/** Kinds of records by their position in every fifty. */
const RARE: Readonly<Record<number, Kind>> = { 3: "decision", 7: "relationship", 9: "resource" };

/** Something that was erased before the file was made. */
function erasedLine(index: number): Json {
  return {
    type: "erased",
    subjectId: idAt(index, 40),
    moduleCode: "commitment",
    erasedAt: timeAt(index),
    certificateId: idAt(index, 41),
  };
}

/** Its parts can be generated in any order. */
class Life {
  readonly size: LifeSize;
  readonly #seed: number;

  constructor(seed: number, size: LifeSize) {
    this.size = size;
    this.#seed = seed;
  }

  /** One record in five is a memory's projection, one in ten a term's. */
  #kindOf(index: number): Kind {
    if (index % 5 === 0) return index % 10 === 0 ? "taxonomy" : "memory";
    return RARE[index % 50] ?? "commitment";
  }

  *lines(type: string, index: number): Generator<Json> {
    const kind = this.#kindOf(index);
    if (type === "record") yield this.#record(index);
    else if (type === "erased" && index % 20 === 0) yield erasedLine(index);
    else if (type === "attachment") yield* this.#attachmentLines(index);
    else if (type === "memory" && kind === "memory") yield this.#memory(index);
    else if (type === "draft" && index % 20 === 0) yield this.#draft(index);
    else if (type === "term" && kind === "taxonomy") yield this.#term(index);
    else if (type === "assignment" && index % 4 === 0) {
      if (kind === "commitment") yield this.#assignment(index);
    } else yield* this.#family(index)[type] ?? [];
  }

  /** Family rows of a rare record; of the first records, the owner's identity and an import. */
  #family(index: number): Lines {
    const kind = this.#kindOf(index);
    if (index > 1 && !Object.values(RARE).includes(kind)) return {};
    const maker = {
      id: (number: number) => idAt(index, number),
      at: (number: number) => timeAt(index + number),
      title: (number: number) => this.#title(index, number),
    };
    if (kind === "decision") return decisionLines(maker, this.#revisions(index));
    if (kind === "relationship") return personLines(maker);
    if (kind === "resource") return resourceLines(maker, this.#revisions(index));
    return index === 0 ? identityLines(maker) : importLines(maker);
  }

  #record(index: number): Json {
    const kind = this.#kindOf(index);
    const random = this.#random(index);
    const revisions = Array.from({ length: this.#revisions(index) }, (_, place) => ({
      ...this.#revision(index, place),
      title: this.#title(index, place),
      summary: kind === "relationship" ? RELATIONSHIP_TYPE : "",
      payload: kind === "commitment" ? commitment(random) : {},
      archivedAt: null,
    }));
    const { change: _, ...newest } = revisions.at(-1) ?? {} as Json;
    return {
      type: "record",
      recordId: idAt(index),
      moduleCode: kind,
      sourceType: "USER_INPUT",
      recordedAt: timeAt(index),
      ...newest,
      createdAt: timeAt(index),
      updatedAt: newest.createdAt,
      guard: this.#isSecret(index) ? "memory.secret" : null,
      revisions,
    };
  }

  *#attachmentLines(index: number): Generator<Json> {
    const block = Uint8Array.from({ length: 4096 }, (_, at) => at * (2 * index + 1));
    const bytes = Buffer.alloc(this.size.attachmentBytes, block);
    yield {
      type: "attachment",
      attachmentId: idAt(index),
      size: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      mediaType: "application/octet-stream",
      filename: `${index}.bin`,
      createdAt: timeAt(index),
    };
    for (let at = 0; at < bytes.length; at += PART_BYTES) {
      const part = Buffer.from(bytes.subarray(at, at + PART_BYTES));
      yield { type: "bytes", base64: part.toString("base64") };
    }
  }

  #memory(index: number): Json {
    const random = this.#random(index);
    const privacyLevel = this.#isSecret(index) ? "SECRET" : "PRIVATE";
    const revisions = Array.from({ length: this.#revisions(index) }, (_, place) => ({
      ...this.#revision(index, place),
      archivedAt: null,
      title: this.#title(index, place),
      summary: "",
      memoryType: "EVENT",
      currentContent: random.text(1, 400),
      occurredAt: null,
      timePrecision: null,
      timeText: null,
      timeFrom: null,
      timeTo: null,
      importance: null,
      aiDraft: null,
      aiDraftProvider: null,
      aiDraftModel: null,
      privacyLevel,
    }));
    revisions.forEach((revision: Json, place) => {
      if (place > 0) revision.change = "REVISED";
    });
    const { change: _, ...newest } = revisions.at(-1) ?? {} as Json;
    return {
      type: "memory",
      memoryId: idAt(index),
      originalContent: random.text(1, 400),
      ...newest,
      createdAt: timeAt(index),
      updatedAt: newest.createdAt,
      revisions,
      slices: [{
        sliceId: idAt(index),
        memoryRevision: 1,
        label: "A slice",
        createdAt: timeAt(index),
      }],
    };
  }

  #draft(index: number): Json {
    const times = { createdAt: timeAt(index), updatedAt: timeAt(index) };
    const result = { committedMemoryId: null, committedRevision: null };
    const content = { title: this.#title(index, 0) };
    const own = { draftId: idAt(index), memoryId: null, draftVersion: 1, content, state: "OPEN" };
    return { type: "draft", ...own, ...result, ...times };
  }

  #term(index: number): Json {
    const revisions = Array.from({ length: this.#revisions(index) }, (_, place) => ({
      ...this.#revision(index, place),
      deactivatedAt: null,
      mergedInto: null,
      parentId: null,
      color: null,
      sortOrder: null,
      name: this.#title(index, place),
      aliases: [`alias ${index}`],
      description: null,
    }));
    revisions.forEach((revision: Json, place) => {
      if (place > 0) revision.change = "RENAMED";
    });
    const { change: _, ...newest } = revisions.at(-1) ?? {} as Json;
    return {
      type: "term",
      termId: idAt(index),
      kind: "TAG",
      ...newest,
      createdAt: timeAt(index),
      updatedAt: newest.createdAt,
      revisions,
    };
  }

  #assignment(index: number): Json {
    return {
      type: "assignment",
      assignmentId: idAt(index),
      termId: idAt(0),
      moduleCode: "commitment",
      recordId: idAt(index),
      assignedAt: timeAt(index),
      removedAt: null,
    };
  }

  #revision(index: number, place: number): Json {
    const change = place === 0 ? "CREATED" : "MODIFIED";
    const at = index + place;
    return { revision: place + 1, revisionId: idAt(index, place), change, createdAt: timeAt(at) };
  }

  #title(index: number, place: number): string {
    return `Title ${index}, ${place + 1}`;
  }

  #revisions(index: number): number {
    return this.#kindOf(index) === "relationship" ? PERSON_REVISIONS : 1 + index % 3;
  }

  #isSecret(index: number): boolean {
    return this.#kindOf(index) === "memory" && index % 3 === 0;
  }

  #random(index: number): Random {
    return seededRandom(this.#seed + index);
  }
}

function commitment(random: Random): Json {
  const content = random.text(1, 400);
  return { commitmentType: "OUTGOING", completionStatus: "OPEN", content };
}

function timeAt(index: number): string {
  return new Date(BEGINNING + index).toISOString();
}

/** An ascending id of an object or revision. */
function idAt(index: number, place = 0): string {
  const time = firstIdAt(new Date(BEGINNING + index)).slice(0, 10);
  return time + String(place).padStart(16, "0");
}
