/** `GET /api/v2/account/storage`: how much of its limits an account uses. */

import { isOldestAccount } from "../accounts/port.ts";
import { readStoredBytes, type WriteLimits } from "../command/write_limits.ts";
import type { Database } from "../database/database.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { component, COUNT, type JsonSchema, nullable, objectOf } from "../validate/json_schema.ts";
import { refuseQuery } from "../validate/schema.ts";
import { OWNER_QUOTA_BYTES } from "./attachment.ts";
import { readUsage } from "./attachment_store.ts";
import { readThumbnailBytes } from "./thumbnail_store.ts";

/** Bytes, and the most that are accepted; null for no limit. */
interface Usage {
  readonly bytes: number;
  readonly limit: number | null;
}

interface AccountStorage {
  /** Content with all revisions. */
  readonly content: Usage;
  readonly files: Usage;
  /** The small pictures of files, which `content` includes. */
  readonly thumbnails: Usage;
  /** True if the account may read the status of backups, which only the oldest may. */
  readonly readsBackups: boolean;
}

const USAGE_SCHEMA = objectOf({ bytes: COUNT, limit: nullable(COUNT) });

const STORAGE_SCHEMA: JsonSchema = component<AccountStorage>("StorageUsage", {
  content: USAGE_SCHEMA,
  files: USAGE_SCHEMA,
  thumbnails: USAGE_SCHEMA,
  readsBackups: { type: "boolean" },
});

export function createStorageEndpoint(
  { database, accountBytes }: { readonly database: Database } & Pick<WriteLimits, "accountBytes">,
): Endpoint {
  return endpoint({
    contract: {
      summary: "Read how many bytes the account stores, and its limits",
      responses: { 200: { data: STORAGE_SCHEMA } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle({ caller: { account: { accountId } } }) {
      const [content, files, thumbnails, isOldest] = await database.read(async (sql) =>
        await Promise.all([
          readStoredBytes(sql, accountId),
          readUsage(sql, accountId),
          readThumbnailBytes(sql, accountId),
          isOldestAccount(sql, accountId),
        ])
      );
      const storage: AccountStorage = {
        content: { bytes: content, limit: accountBytes },
        files: { bytes: files, limit: OWNER_QUOTA_BYTES },
        thumbnails: { bytes: thumbnails, limit: null },
        readsBackups: isOldest,
      };
      return ok(storage);
    },
  });
}
