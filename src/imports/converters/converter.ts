/**
 * A converter turns the bytes of one format into items. It is pure: no SQL, no HTTP, no clock.
 * A new format is a file in a sub-folder, its entry in `converters.ts`, and its tests.
 */

import type { Field } from "../../catalog/module.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ObjectSchema } from "../../validate/schema.ts";
import type { Archive, Entry } from "../archive/archive.ts";
import type { ByteSource } from "../archive/file_source.ts";
import type { TableFacts } from "../import.ts";
import type { ReadingBudget } from "../reading_budget.ts";
import type { EntryRule } from "../refusal.ts";
import type { Rhythm } from "../rhythm.ts";
import type { SeenFile } from "./seen_file.ts";

export interface StoredFile {
  /** In hex. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** Stores a file inside a text while it is decoded. Without `end` the file is discarded. */
export interface FileSink {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly end: () => Promise<StoredFile>;
}

/** A file inside an item's text. The item refers to it as `attachment:<name>`. */
export interface SourceFile extends StoredFile {
  readonly name: string;
  readonly filename: string;
  readonly mediaType: string;
}

export interface SourceLink {
  /** Possible keys of the other item, in order of preference; none for a name alone. */
  readonly keys: readonly string[];
  /** Further members of the resulting `LINK` detail. */
  readonly detail: {
    readonly label?: string;
    readonly preferred?: boolean;
    /** As `CARD_LINES`. */
    readonly lines?: JsonObject;
  };
  /** The line of a card that is kept if no person has one of the keys; default: the name. */
  readonly line?: string;
  readonly relation: string;
  readonly name: string;
}

/** Facts of an item from a format of people, in addition to its members. */
export interface PeopleFacts {
  /** True (default) if the key identifies the person: equal numbers mean no duplicate then. */
  readonly isIdentified: boolean;
  readonly links: readonly SourceLink[];
  /** Possible keys of each member of a community. */
  readonly members: readonly (readonly string[])[];
  /** Places of details that are left out if an earlier import made a record with the key. */
  readonly formerRecords?: readonly { readonly key: string; readonly detail: number }[];
  /** The UIDs of a card as they stand, its own first; by default none. */
  readonly uids?: readonly string[];
  /** True if this service wrote the card, so that it takes nothing away; default: false. */
  readonly isOwnCard?: boolean;
}

/** An item of a source. `../item.ts` checks the members. */
export interface SourceItem {
  /** The line of the file; by default a running number from 1. */
  readonly place?: number;
  /** The path of its entry in the archive; default: none. */
  readonly entry?: string | null;
  readonly members: JsonObject;
  /** Rules reported to the owner; the item is imported. */
  readonly rules?: readonly string[];
  /** Rules that refuse the item; by default none. A refused item may lack a key. */
  readonly refused?: readonly string[];
  /** Names of content that was left out of the item. */
  readonly unmapped?: readonly string[];
  /**
   * A payload field that gets the time of recording, else the time of the run, if the payload does
   * not state it.
   */
  readonly runTimeField?: string;
  /** The rhythm of a routine: `nextDueAt` is its first date from the day of the run on. */
  readonly rhythm?: Rhythm;
  /** True for an item that counts only if an earlier import made its record; default: false. */
  readonly isKnownOnly?: boolean;
  /** Fields of the payload whose times are left out if they are in the future; default: none. */
  readonly optionalTimes?: readonly string[];
  /** The rule of an item that loses a time in the future; default: `import.future`. */
  readonly futureRule?: "import.date";
  /**
   * The fields of the payload whose times the converter wrote. The digest has them in the form of
   * releases without clocks: no zone, and `+00:00` instead of `Z`.
   */
  readonly writtenTimes?: readonly string[];
  readonly files?: readonly SourceFile[];
  /** Names for files of the archive that differ from their base names, by path. */
  readonly filenames?: ReadonlyMap<string, string>;
  /** Media types of files in `paths`, by name; by default those of their endings. */
  readonly mediaTypes?: ReadonlyMap<string, string>;
  /** Paths in the archive of files that the members name by another name. */
  readonly paths?: ReadonlyMap<string, string>;
  /** Paths in the archive of further files with the bytes of a file that the members name. */
  readonly equalPaths?: readonly string[];
  /** True if the text contains the whole title, so that nothing is lost if the title is cut. */
  readonly isTitleInText?: boolean;
  /**
   * Milliseconds since 1970 at which the file was changed: the time of recording if the members
   * state none. No part of the digest, because copying a file may change it.
   */
  readonly modifiedAt?: number | null;
  /** Equal for items of equal content; by default the digest of the item. */
  readonly sameAs?: string;
  /**
   * The same content for the target that an earlier release chose. It counts if that release
   * imported the item.
   */
  readonly earlier?: Pick<SourceItem, "members" | "rules" | "unmapped">;
  /** The key in earlier releases, if it was different. */
  readonly formerKey?: string;
  /** Present for every item of a format of people. */
  readonly people?: Partial<PeopleFacts>;
  /**
   * The members in an earlier release whose key was the same for any content. Its origin counts
   * only if the content is equal.
   */
  readonly former?: JsonObject;
  /** True if the key of `former` stays the key of the first content that has it. */
  readonly keepsFormerKey?: boolean;
}

export type Converted =
  | { readonly kind: "item"; readonly item: SourceItem }
  /** An entry of the archive that cannot be read. */
  | { readonly kind: "fault"; readonly entry: Entry; readonly rule: EntryRule }
  /** A later one replaces an earlier one. */
  | { readonly kind: "table"; readonly columns: readonly string[]; readonly facts: TableFacts }
  | { readonly kind: "unmapped"; readonly name: string; readonly count?: number }
  /** A notebook, label, calendar or device that the mapping may name, and values or items of it. */
  | { readonly kind: "group"; readonly name: string; readonly count?: number }
  /** Values of one type from one group. */
  | {
    readonly kind: "series";
    readonly name: string;
    readonly group: string;
    readonly count?: number;
  }
  /** Names of the presets that know the table. */
  | { readonly kind: "presets"; readonly names: readonly string[] };

export interface ConverterInput {
  readonly file: ByteSource;
  /** The checked archive; null if the file is not an archive. */
  readonly archive: Archive | null;
  readonly filename: string | null;
  /** As stored in origins. */
  readonly source: string;
  /** The owner's mapping, checked by `FileMapping.check`; null without one. */
  readonly mapping: JsonObject | null;
  /** Returns the fields of a target; null for an unknown target. */
  readonly fieldsOf: (target: string) => readonly Field[] | null;
  /** Counts the memory that the converter retains. Each read from a file waits for its turn. */
  readonly budget: ReadingBudget;
  /** Starts the next file inside a text; discards an earlier one that was not ended. */
  readonly openFile: () => Promise<FileSink>;
}

/** A file of tables; entries of its archive may be broken. */
export type OpenedTable = Pick<ConverterInput, "file" | "archive">;

/** The names of the last reading that a mapping may use. */
export interface MappingContext extends Pick<ConverterInput, "fieldsOf"> {
  readonly columns: readonly string[] | null;
  readonly presets: readonly string[];
  readonly groups: readonly string[];
  readonly series: readonly string[];
}

/**
 * A mapping that the owner may send for a file. Clients have a form for each kind; they draw that
 * of `FORM` from the schema and the groups of the sample.
 */
export interface FileMapping {
  readonly kind: "FOLDERS" | "COLUMNS" | "PEOPLE" | "FORM";
  readonly schema: ObjectSchema;
  /** The members that clients draw a form of; by default all of `FORM`, and none of other kinds. */
  readonly form?: ObjectSchema;
  /** Shown in the OpenAPI document under the name of the format. */
  readonly example?: JsonObject;
  /** True if an import cannot be planned without it; default: false. */
  readonly isRequired?: boolean;
  /** True for a mapping that is too little for a plan; default: none is. */
  readonly isPartial?: (mapping: JsonObject) => boolean;
  /**
   * Reads the columns that a mapping may name. Called before `check`; by default the columns are
   * those of the last reading.
   *
   * @throws ServiceError `PAYLOAD_INVALID`.
   */
  readonly readColumns?: (mapping: JsonObject, file: OpenedTable) => Promise<readonly string[]>;
  /** @throws ServiceError `PAYLOAD_INVALID`. */
  readonly check: (mapping: JsonObject, context: MappingContext) => void;
}

/** A file in gzip is a tar or a text after it is unpacked. */
export type FileKind = "zip" | "tar" | "gzip" | "text";

export interface Converter {
  readonly format: string;
  /** Shown in the console's list of formats, by language. */
  readonly title: { readonly en: string; readonly de: string };
  /** True if an import requires a name, which becomes part of its source. */
  readonly isNamed: boolean;
  /** Whether a file has a sign of the format. */
  readonly hasSign: (seen: SeenFile) => boolean | Promise<boolean>;
  /** Whether a file without any sign may be of the format; by default it is not. */
  readonly mayBe?: (seen: SeenFile) => boolean | Promise<boolean>;
  /** Accepted kinds of file; any bytes that are not an archive are a text. */
  readonly kinds: readonly FileKind[];
  /** Maximum bytes of a file when it is unpacked; default: that of any archive. */
  readonly unpackedBytes?: number;
  /** True if archives inside an archive may be parts of it (`parts.ts`); default: false. */
  readonly hasParts?: boolean;
  /** Returns the reported name of an unused file of an archive; null for `file.unused`. */
  readonly leftOut?: (name: string) => string | null;
  /**
   * Returns the source, as stored in origins; by default format and name. Called before an import
   * is stored.
   *
   * @throws FileRefusal `import.format` if the file is not of the format.
   */
  readonly sourceOf?: (input: SourceInput) => Promise<string>;
  /** True if only the file states the source: a damaged file has none. Default: false. */
  readonly statesSource?: boolean;
  readonly mapping?: FileMapping;
  readonly convert: (input: ConverterInput) => AsyncGenerator<Converted>;
}

export interface SourceInput {
  readonly name: string | null;
  readonly file: ByteSource;
  /** The archive, not checked yet; null if the file is not an archive. */
  readonly archive: Archive | null;
}
