/**
 * The challenges of sign-ins. A stranger can begin any number of them, so they are computed instead
 * of stored: a challenge is an HMAC of the ceremony's identifier. Only an answered one leaves a
 * row.
 */

import { decodeTime } from "@std/ulid";
import { hmacSha256 } from "../../core/digest.ts";
import { firstIdAt, isUlid, newId } from "../../core/ids.ts";
import type { Tx } from "../../database/database.ts";
import { emailKey, type StoredAccount } from "../account_store.ts";
import { type Ceremony, CEREMONY_LIFETIME_MS, expiryOf } from "./ceremony_store.ts";

interface NamedAccount {
  readonly email: string;
  /** Null for an unknown email. */
  readonly account: Pick<StoredAccount, "password_hash"> | null;
}

/** The challenges of sign-ins, in every process with the same server secret. */
export interface SignInCeremonies {
  /** @param named Null for a sign-in with any account. */
  begin(named: NamedAccount | null, now: Date): Ceremony;
  /**
   * Returns the challenge of a ceremony. That of a named account changes with its password, which
   * so ends the ceremony.
   */
  challengeOf(ceremonyId: string, named: NamedAccount | null): Uint8Array;
  /** Ends a ceremony. Returns false if it was answered before, has expired, or cannot be one. */
  end(tx: Tx, ceremonyId: string, now: Date): Promise<boolean>;
}

/** Lifetime of stored answers: longer than a ceremony's, for processes with slow clocks. */
const REMEMBERED_MS = 2 * CEREMONY_LIFETIME_MS;

/** Maximum old rows that one answer removes. */
const REMOVED_AT_ONCE = 100;

/** Derives the key of challenges from the server secret. */
export function createSignInCeremonies(serverSecret: Uint8Array): SignInCeremonies {
  const challengeKey = hmacSha256(serverSecret, "passkey sign-in challenges");
  const challengeOf = (ceremonyId: string, named: NamedAccount | null) =>
    hmacSha256(
      challengeKey,
      JSON.stringify(
        named === null
          ? [ceremonyId]
          : [ceremonyId, emailKey(named.email), named.account?.password_hash ?? null],
      ),
    );
  return {
    challengeOf,
    begin(named, now) {
      const ceremonyId = newId(now);
      const expiresAt = expiryOf(now.getTime());
      return { ceremonyId, challenge: challengeOf(ceremonyId, named), expiresAt };
    },
    end: endSignIn,
  };
}

async function endSignIn({ sql }: Tx, ceremonyId: string, now: Date): Promise<boolean> {
  if (!isUlid(ceremonyId)) return false;
  const age = now.getTime() - decodeTime(ceremonyId);
  // It may have begun in another process, whose clock is ahead.
  if (Math.abs(age) >= CEREMONY_LIFETIME_MS) return false;
  await sql`
    delete from answered_passkey_sign_ins where ceremony_id in (
      select ceremony_id from answered_passkey_sign_ins
       where ceremony_id < ${firstIdAt(new Date(now.getTime() - REMEMBERED_MS))}
       limit ${REMOVED_AT_ONCE} for update skip locked)`;
  const answered = await sql`
    insert into answered_passkey_sign_ins (ceremony_id) values (${ceremonyId})
    on conflict do nothing returning 1`;
  return answered.length > 0;
}
