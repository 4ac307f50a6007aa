import guards from "../../sql/0001_guards.sql" with { type: "text" };
import access from "../../sql/0002_access.sql" with { type: "text" };
import commands from "../../sql/0003_commands.sql" with { type: "text" };
import records from "../../sql/0004_records.sql" with { type: "text" };
import attachments from "../../sql/0005_attachments.sql" with { type: "text" };
import changes from "../../sql/0006_changes.sql" with { type: "text" };
import search from "../../sql/0007_search.sql" with { type: "text" };
import auditSeals from "../../sql/0008_audit_seals.sql" with { type: "text" };
import operations from "../../sql/0009_operations.sql" with { type: "text" };
import memory from "../../sql/0010_memory.sql" with { type: "text" };
import decision from "../../sql/0011_decision.sql" with { type: "text" };
import identity from "../../sql/0012_identity.sql" with { type: "text" };
import relationship from "../../sql/0013_relationship.sql" with { type: "text" };
import resource from "../../sql/0014_resource.sql" with { type: "text" };
import taxonomy from "../../sql/0015_taxonomy.sql" with { type: "text" };
import passkeys from "../../sql/0016_passkeys.sql" with { type: "text" };
import peopleDetails from "../../sql/0017_people_details.sql" with { type: "text" };
import calendarFeeds from "../../sql/0018_calendar_feeds.sql" with { type: "text" };
import imports from "../../sql/0019_imports.sql" with { type: "text" };
import erasure from "../../sql/0020_erasure.sql" with { type: "text" };
import importedPeople from "../../sql/0021_imported_people.sql" with { type: "text" };
import assistants from "../../sql/0022_assistants.sql" with { type: "text" };
import importBounds from "../../sql/0023_import_bounds.sql" with { type: "text" };
import assistantCalls from "../../sql/0024_assistant_calls.sql" with { type: "text" };
import signInLimits from "../../sql/0025_sign_in_limits.sql" with { type: "text" };
import wordLists from "../../sql/0026_word_lists.sql" with { type: "text" };
import clocks from "../../sql/0027_clocks.sql" with { type: "text" };
import importEntries from "../../sql/0028_import_entries.sql" with { type: "text" };
import peopleTwo from "../../sql/0029_people_2.sql" with { type: "text" };
import importPresets from "../../sql/0030_import_presets.sql" with { type: "text" };
import recordOrder from "../../sql/0031_record_order.sql" with { type: "text" };
import thumbnails from "../../sql/0032_attachment_thumbnails.sql" with { type: "text" };
import assistantsSignIn from "../../sql/0033_assistants_sign_in.sql" with { type: "text" };
import attachmentChunks from "../../sql/0034_attachment_chunks.sql" with { type: "text" };
import movedAccounts from "../../sql/0035_moved_accounts.sql" with { type: "text" };
import compactWords from "../../sql/0036_words.sql" with { type: "text" };
import formerWords from "../../sql/0037_former_words.sql" with { type: "text" };

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** All steps, imported as text, so that a compiled binary contains them. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "guards", sql: guards },
  { version: 2, name: "access", sql: access },
  { version: 3, name: "commands", sql: commands },
  { version: 4, name: "records", sql: records },
  { version: 5, name: "attachments", sql: attachments },
  { version: 6, name: "changes", sql: changes },
  { version: 7, name: "search", sql: search },
  { version: 8, name: "audit_seals", sql: auditSeals },
  { version: 9, name: "operations", sql: operations },
  { version: 10, name: "memory", sql: memory },
  { version: 11, name: "decision", sql: decision },
  { version: 12, name: "identity", sql: identity },
  { version: 13, name: "relationship", sql: relationship },
  { version: 14, name: "resource", sql: resource },
  { version: 15, name: "taxonomy", sql: taxonomy },
  { version: 16, name: "passkeys", sql: passkeys },
  { version: 17, name: "people_details", sql: peopleDetails },
  { version: 18, name: "calendar_feeds", sql: calendarFeeds },
  { version: 19, name: "imports", sql: imports },
  { version: 20, name: "erasure", sql: erasure },
  { version: 21, name: "imported_people", sql: importedPeople },
  { version: 22, name: "assistants", sql: assistants },
  { version: 23, name: "import_bounds", sql: importBounds },
  { version: 24, name: "assistant_calls", sql: assistantCalls },
  { version: 25, name: "sign_in_limits", sql: signInLimits },
  { version: 26, name: "word_lists", sql: wordLists },
  { version: 27, name: "clocks", sql: clocks },
  { version: 28, name: "import_entries", sql: importEntries },
  { version: 29, name: "people_2", sql: peopleTwo },
  { version: 30, name: "import_presets", sql: importPresets },
  { version: 31, name: "record_order", sql: recordOrder },
  { version: 32, name: "attachment_thumbnails", sql: thumbnails },
  { version: 33, name: "assistants_sign_in", sql: assistantsSignIn },
  { version: 34, name: "attachment_chunks", sql: attachmentChunks },
  { version: 35, name: "moved_accounts", sql: movedAccounts },
  { version: 36, name: "words", sql: compactWords },
  { version: 37, name: "former_words", sql: formerWords },
];
