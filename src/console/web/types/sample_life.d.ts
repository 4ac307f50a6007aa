/** Types of the sample life. */

/** The words of a sample life in one language; most by the key of their item. */
interface LifeTexts {
  /** The language of dates, as in `en`. */
  readonly language: string;
  readonly source: string;
  /** The name of the import. */
  readonly name: string;
  readonly phones: readonly string[];
  readonly tags: { readonly family: string; readonly water: string; readonly garden: string };
  /** By type of measurement. */
  readonly kinds: Record<string, string>;
  readonly people: Record<string, LifePerson>;
  readonly memories: Record<string, { title: string; text: string; time?: string }>;
  /** Titles and descriptions. */
  readonly events: Record<string, string[]>;
  /** Titles and contents. */
  readonly commitments: Record<string, string[]>;
  /** Titles and success criteria. */
  readonly actions: Record<string, string[]>;
  /** Names and areas. */
  readonly routines: Record<string, string[]>;
  readonly captures: readonly string[];
  /** Titles, authors and annotations. */
  readonly knowledge: Record<string, string[]>;
  /** Titles and statements. */
  readonly principles: Record<string, string[]>;
  /** Names and notes. */
  readonly places: Record<string, string[]>;
  /** Names and roles. */
  readonly communities: Record<string, string[]>;
  readonly review: { title: string; summary: string; achievements: string; next: string };
  /** Questions and answers, which may be empty. */
  readonly interviews: Record<string, string[]>;
  /** A title and a statement. */
  readonly pattern: readonly string[];
  /** A title and the condition of its release. */
  readonly legacy: readonly string[];
}

interface LifePerson {
  name: string;
  street?: string;
  town?: string;
  company?: string;
  /** Notes of the contacts, newest first. */
  contacts: string[];
  /** A title and words. */
  note?: string[];
}

type LifeCalendar = ReturnType<typeof import("../logic/sample_life/calendar.js").calendarOf>;

/** Makes some of its items. */
type LifePart = (texts: LifeTexts, on: LifeCalendar) => object[];
