// deno-lint-ignore-file no-explicit-any
/** Files: their uploads, and the lines of texts that name them. */

interface FileName {
  attachmentId: string;
  filename: string;
  mediaType: string;
  /** Null without a small picture; undefined right after an upload. */
  thumbnail?: Thumbnail | null;
}

interface Thumbnail {
  width: number;
  height: number;
}

/** A link of a text that a picture replaces. */
interface PlacedPicture {
  place: HTMLElement;
  file: FileName;
  /** Describes the picture. */
  text: string;
}

type EncodePicture = (canvas: HTMLCanvasElement, quality: number) => Promise<Blob>;

type ShowFile = (file: FileName) => void;

type DrawSmall = (place: Element, file: FileName) => void;

type DrawPicture = (
  file: FileName,
  text: string,
  /** Called if the browser cannot show it. */
  broken: () => void,
) => HTMLImageElement;

type Upload = (
  path: string,
  file: File,
  headers: Texts,
  /** Called with the sent part, from 0 to 1. */
  progress: (part: number) => void,
  signal?: AbortSignal,
) => Promise<any>;

/** A place in a text at which a file is added as a line. */
interface TextPlace {
  at: number;
}

interface FileEntry {
  name: string;
  state: "waiting" | "running" | "failed" | "done";
  /** Null for a file that was uploaded earlier. */
  source: File | null;
  /** Null until it is uploaded. */
  file: FileName | null;
  /** Null for the end of a text. */
  place: TextPlace | null;
  /** Among the files that were added together. */
  index: number;
  ending: AbortController;
  element: HTMLElement;
}

interface FileAdderOptions {
  /** True if a draft keeps the finished uploads. */
  isKept?: boolean;
  /** True for the camera and the microphone alone. */
  ofDevice?: boolean;
  /** True for pictures alone: without the microphone. */
  ofPictures?: boolean;
  /** Called after an upload, in the order of the files; true removes it from the list. */
  added?: (file: FileName, entry: FileEntry) => boolean;
  /** Called after each change of the finished uploads. */
  changed?: () => void;
}

interface FileAdder {
  element: HTMLElement;
  list: HTMLElement;
  take: (files: readonly File[], place?: TextPlace | null) => void;
  files: () => readonly FileName[];
  ids: () => readonly string[];
  isRunning: () => boolean;
  settled: () => Promise<void>;
  problem: () => string;
  show: (files: readonly FileName[]) => void;
  focus: () => void;
}

/** For a form of a record of a module, or of a memory. */
type AcceptFiles = (form: Element, fields: readonly Field[], code: string) => void;

type ShowChooser = (
  about: Readonly<Record<string, Attribute>>,
  holder: import("../fields/files/holder.js").FileHolder,
) => HTMLInputElement;

type WithLine = (text: string, line: string) => string;

type LineAt = (text: string, at: number, line: string) => string;

type MovedPlace = (at: number, before: string, after: string) => number;

/** Words and files that another app shared; empty if nothing. */
interface SharedParts {
  title?: string;
  text?: string;
  url?: string;
  /** Their contents are in base64. */
  files?: readonly { name: string; type: string; content: string }[];
  /** The number of files that were dropped. */
  dropped?: number;
  /** The code of the refusal. */
  refused?: string;
}
