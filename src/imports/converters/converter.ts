/**
 * A converter turns the bytes of one format into items. It is pure: no SQL, no HTTP, no clock. A new format is
 * a file of this folder, its entry in `converters.ts`, and its test.
 */

import type { Field } from "../../catalog/module.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ObjectSchema } from "../../validate/schema.ts";
import type { Archive } from "../archive/archive.ts";
import type { ByteSource } from "../archive/file_source.ts";
import type { ReadingBudget } from "../reading_budget.ts";

/** The digest of a stored file, in hex, and its bytes. */
export interface StoredFile {
  readonly sha256: string;
  readonly size: number;
}

/** A file inside a text, which is stored as it is decoded. A file that is not ended is not kept. */
export interface FileSink {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly end: () => Promise<StoredFile>;
}

/** A file inside an item's own text, which the item names as `attachment:<name>`. */
export interface SourceFile extends StoredFile {
  readonly name: string;
  readonly filename: string;
  readonly mediaType: string;
}

/** A link to another item's person. */
export interface SourceLink {
  /** Possible keys of the other item, in order of preference; none for a name alone. */
  readonly keys: readonly string[];
  /** Parts of the `LINK`, which has the person's identifier, or the name if the person is unknown. */
  readonly detail: { readonly label?: string; readonly preferred?: boolean };
  readonly relation: string;
  readonly name: string;
}

/** Facts about an item of a format of people, in addition to its members. */
export interface PeopleFacts {
  /** True if the key identifies the person, so equal numbers do not matter; the default. */
  readonly isIdentified: boolean;
  readonly links: readonly SourceLink[];
  /** Possible keys of each member of a community. */
  readonly members: readonly (readonly string[])[];
}

/** An item as its source has it. `item.ts` checks the members. */
export interface SourceItem {
  /** The line of the file; by default a running number from 1. */
  readonly place?: number;
  readonly members: JsonObject;
  /** Rules that the owner should know of; the item comes in. */
  readonly rules?: readonly string[];
  /** Rules that refuse the item; by default none. It may lack a key then. */
  readonly refused?: readonly string[];
  /** The names of what was left out of the item. */
  readonly unmapped?: readonly string[];
  /** A field of the payload that gets the time of the run, because the source has none. */
  readonly runTimeField?: string;
  readonly files?: readonly SourceFile[];
  /** Present in formats of people, also for other targets. */
  readonly people?: Partial<PeopleFacts>;
  /** The members that an earlier release gave the same content, if its key was another one. */
  readonly former?: JsonObject;
}

export type Converted =
  | { readonly kind: "item"; readonly item: SourceItem }
  | { readonly kind: "columns"; readonly columns: readonly string[] }
  | { readonly kind: "unmapped"; readonly name: string; readonly count?: number };

export interface ConverterInput {
  readonly file: ByteSource;
  /** The checked archive that the file is; null for another file. */
  readonly archive: Archive | null;
  /** The file's own name; null if it is not known. */
  readonly filename: string | null;
  /** The source as origins know it. */
  readonly source: string;
  /** The owner's mapping, checked by `FileMapping.check`; null without one. */
  readonly mapping: JsonObject | null;
  /** The fields that an item of a target may have; null for an unknown target. */
  readonly fieldsOf: (target: string) => readonly Field[] | null;
  /** Counts what the converter retains. The bytes of files ask it for turns. */
  readonly budget: ReadingBudget;
  /** Begins the next file inside a text; one that was begun before is ended or given up. */
  readonly openFile: () => Promise<FileSink>;
}

export interface MappingContext extends Pick<ConverterInput, "fieldsOf"> {
  readonly columns: readonly string[] | null;
}

/** A mapping that the owner may send for a file, and for which clients have a form. */
export interface FileMapping {
  readonly kind: "FOLDERS" | "COLUMNS" | "PEOPLE";
  readonly schema: ObjectSchema;
  /** Shown in the OpenAPI document under the name of the format. */
  readonly example?: JsonObject;
  /** Whether nothing can be planned without it; default: no. */
  readonly isRequired?: boolean;
  /** @throws ServiceError `PAYLOAD_INVALID`. */
  readonly check: (mapping: JsonObject, context: MappingContext) => void;
}

export type FileKind = "zip" | "tar" | "text";

export interface Converter {
  readonly format: string;
  /** Shown in the console's list of formats, by language. */
  readonly title: { readonly en: string; readonly de: string };
  /** File extensions by which the command `prs` recognizes the format; default: none. */
  readonly extensions?: readonly string[];
  /** Whether an import must have a name, which becomes a part of its source. */
  readonly isNamed: boolean;
  /** Kinds of file that are accepted; any bytes that are not an archive are a text. */
  readonly kinds: readonly FileKind[];
  /** Whether archives named `…Part-n.zip` belong to the archive that contains them; default: no. */
  readonly hasParts?: boolean;
  /** The names under which files of an archive are left out; null for `file.unused`. */
  readonly leftOut?: ((name: string) => string | null) | null;
  /**
   * The source as origins know it; by default the format and the name. Called before anything is kept.
   *
   * @throws FileRefusal `import.format` if the file is not of the format.
   */
  readonly sourceOf?: (input: SourceInput) => Promise<string>;
  /** Whether the file states its source, which is unknown if the file is damaged; default: no. */
  readonly statesSource?: boolean;
  readonly mapping?: FileMapping;
  readonly convert: (input: ConverterInput) => AsyncGenerator<Converted>;
}

export interface SourceInput {
  readonly name: string | null;
  readonly file: ByteSource;
  /** The archive with its entries unchecked; null for another file. */
  readonly archive: Archive | null;
}
