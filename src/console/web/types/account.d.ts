// deno-lint-ignore-file no-explicit-any
/** Pages of the account: credentials, audit trail, exports. */

interface ShownOnce {
  text: string;
  secrets?: readonly string[];
  /** Shown instead of secrets. */
  parts?: readonly Child[];
  /** Labels the button that continues. */
  stored: string;
  /** The next page. */
  page: string;
}

interface NewCredential {
  what: string;
  path: string;
  fields: readonly Field[];
  before?: readonly Element[];
  bodyOf: () => { name: string } | null;
  shown: (made: any) => ShownOnce;
}

interface TrailLook {
  audit: TrailHead | null;
  access: TrailHead | null;
}

interface CheckedTrail {
  fault: TrailFault | null;
  /** To be stored; null without a seal, or if the trail does not hold. */
  head: TrailHead | null;
  /** Number checked, as `entries`. */
  seals: number;
  entries: number;
  /** Number of entries before the last check that were not recomputed. */
  unchecked: number;
}

interface AuditOperation {
  operation: string;
  moduleCode: string | null;
}

interface ExportPart {
  filename: string;
  mediaType: string;
  content: string;
  /** Undefined if the service states none. */
  sha256?: string;
  /** Number of entries; undefined for a whole. */
  count?: number;
  note?: string;
  nextCursor: string | null;
}

/** Requests a part; null if the person cancels. */
type ReadPart = (cursor: string | null) => Promise<ExportPart | null>;

/** The request of a program, as the service read it. */
interface AskedSignIn {
  callback: string;
  onThisDevice: boolean;
  assistants: readonly LentAssistant[];
  proofRequired: boolean;
}

interface LentAssistant {
  assistantId: string;
  name: string;
  modules: readonly string[];
  mayPropose: boolean;
  sensitive: "HIDDEN" | "SHOWN";
  until: string;
}

/** How the program of an assistant signs in. */
interface AssistantSignIn {
  clientId: string;
  program: string;
  /** The address that the first sign-in chose, if the program has one for each connection. */
  boundTo: string | null;
  signIns: number;
}
