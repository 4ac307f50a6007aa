-- Two routines get the name of what they do: a write claims its idempotency key, and a guard's search
-- path is pinned.

alter function command_gate(text, text, text, text, bytea, text, boolean) rename to claim_command;
alter procedure make_undeceivable(regprocedure) rename to pin_search_path;
