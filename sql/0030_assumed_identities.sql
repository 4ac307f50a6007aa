-- A request may come from an identity that an earlier one looked up. The claim of a write, or the read of a
-- row, asks here whether all of that still holds: the credential is neither revoked nor expired and its use
-- was noted of late, and the account is enabled and has the role that it had. VOLATILE, so that it sees what
-- was committed before it is called, and by an ending that the claim's locks waited for.
create function identity_holds(
  the_account text, the_credential text, the_role text, used_since timestamptz, the_time timestamptz
) returns boolean language plpgsql volatile as $$
begin
  return exists (
    select from accounts a
     where a.account_id = the_account and a.disabled_at is null and a.role = the_role
  ) and (exists (
    select from sessions s
     where s.account_id = the_account and s.session_id = the_credential and s.revoked_at is null
       and s.expires_at > the_time and s.last_seen_at > used_since
  ) or exists (
    select from tokens t
     where t.account_id = the_account and t.token_id = the_credential and t.revoked_at is null
       and t.expires_at > the_time and t.last_used_at > used_since
  ));
end $$;
