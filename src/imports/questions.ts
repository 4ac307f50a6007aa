/** The cards of possible duplicates, which the owner sees before an answer. */

import { Buffer } from "node:buffer";
import type { JsonObject } from "../core/json.ts";
import {
  ANY_OBJECT,
  component,
  COUNT,
  listOf,
  nullable,
  objectOf,
  TEXT,
} from "../validate/json_schema.ts";
import type { ItemDecision } from "./decision.ts";
import type { Item } from "./item.ts";
import { detailsOf } from "./person_changes.ts";

interface CardDetail {
  readonly kind: string;
  readonly value: JsonObject;
  readonly label: string | null;
}

/** A card of the file as a question shows it. */
interface Card {
  readonly place: number;
  readonly title: string;
  /** Experiences of the person, such as the notes of the card. */
  readonly notes: number;
  readonly details: readonly CardDetail[];
}

export interface ImportQuestion extends Card {
  /** Answers have this key. */
  readonly key: string;
  /** The first earlier card that it may repeat; null if it may repeat only stored people. */
  readonly earlier: Card | null;
}

const CARD = {
  place: COUNT,
  title: TEXT,
  notes: COUNT,
  details: listOf(objectOf({ kind: TEXT, value: ANY_OBJECT, label: nullable(TEXT) })),
};

export const QUESTION_SCHEMA = component<ImportQuestion>("ImportQuestion", {
  ...CARD,
  key: TEXT,
  earlier: nullable(objectOf(CARD)),
});

const MAX_QUESTIONS = 50;
const MAX_DETAILS = 20;
/** Maximum bytes of a card's details as JSON. */
const MAX_BYTES = 4_096;
/** Earlier cards among which the first with content is shown. */
const MAX_EARLIER = 10;

/** Collects the first 50 possible duplicates of a file. */
export class Questions {
  readonly #open: { key: string; card: Card; earlier: readonly string[] }[] = [];

  add({ item, key, outcome, shared }: ItemDecision): void {
    if (outcome !== "POSSIBLE_DUPLICATE" || this.#open.length === MAX_QUESTIONS) return;
    const keys = [item.people?.repeats ?? [], ...shared].flat();
    this.#open.push({ key, card: cardOf(item), earlier: keys.slice(0, MAX_EARLIER) });
  }

  /** @param items The written items: those that are left out lack their content. */
  async withEarlier(items: AsyncIterable<Item>): Promise<readonly ImportQuestion[]> {
    const cards = new Map(this.#open.map(({ key, card }) => [key, card]));
    const wanted = new Set(this.#open.flatMap(({ earlier }) => earlier)).difference(cards);
    const last = this.#open.at(-1)?.card.place ?? 0;
    if (wanted.size > 0) {
      for await (const item of items) {
        if (item.place >= last) break;
        if (wanted.has(item.key) && item.title !== "") cards.set(item.key, cardOf(item));
      }
    }
    return this.#open.map(({ key, card, earlier: keys }) => {
      const earlier = keys.map((each) => cards.get(each)).find((each) => each !== undefined);
      return { ...card, key, earlier: earlier ?? null };
    });
  }
}

/** Numbers and addresses first, because they are compared. */
const KINDS = ["PHONE", "EMAIL", "ADDRESS", "DATE", "ORGANIZATION", "NAME", "URL", "HANDLE"];

function cardOf({ place, title, payload }: Item): Card {
  const all = detailsOf(payload);
  const first = KINDS.flatMap((kind) => all.filter((detail) => detail.kind === kind))
    .slice(0, MAX_DETAILS)
    .map(({ kind, value, label = null }) => ({ kind, value, label }) as CardDetail);
  let room = MAX_BYTES;
  return {
    place,
    title,
    notes: Array.isArray(payload.experiences) ? payload.experiences.length : 0,
    details: first.filter((each) => (room -= Buffer.byteLength(JSON.stringify(each))) >= 0),
  };
}
