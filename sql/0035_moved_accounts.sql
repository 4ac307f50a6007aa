-- Credentials that the move of an account ended, and passkeys with keys of ML-DSA.

-- When the account moved: its sessions, tokens, calendar feeds and assistants ended at that time, so a secret
-- whose end is this time is answered with the new address. Null if a process of the release before moved it.
alter table accounts
  add column retired_at timestamptz(3),
  add constraint account_retired_has_moved check (retired_at is null or moved_to is not null);
update accounts set retired_at = (
  select min(e.created_at) from access_events e
   where e.account_id = accounts.account_id and e.event = 'ACCOUNT_RETIRED')
 where moved_to is not null;
create trigger retired_once before update on accounts
  for each row when (old.retired_at is not null and new.retired_at is distinct from old.retired_at)
  execute function refuse('PRS04', 'the time of a move is fixed');
alter table accounts enable always trigger retired_once;

-- The COSE key of ML-DSA-65 has 1,962 bytes.
alter table passkeys
  drop constraint passkey_algorithm_known,
  add constraint passkey_algorithm_known
    check (algorithm in ('ES256', 'EdDSA', 'RS256', 'ML-DSA-44', 'ML-DSA-65')),
  drop constraint passkey_public_key_length,
  add constraint passkey_public_key_length check (octet_length(public_key) between 1 and 2048);
