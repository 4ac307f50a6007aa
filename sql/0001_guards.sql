-- What every table stands on: the identifier domain and one argument-driven guard.

-- A canonical ULID. The byte order of "C" is the order in time.
create domain ulid as text collate "C"
  constraint canonical_ulid check (value ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$');

-- Raises the SQLSTATE and the rule that the trigger names. What is refused stands in the trigger's
-- events and its WHEN clause, so that a table's guards can be read beside the table.
--   PRS01 append-only or permanent   PRS03 revision step   PRS04 fixed column   PRS05 root and ledger
create function refuse() returns trigger language plpgsql as $$
begin
  raise exception using errcode = tg_argv[0], message = format('%s: %s', tg_table_name, tg_argv[1]);
end $$;

-- A ledger: rows are added and never changed, by any role, replication roles included.
create procedure make_append_only(ledger regclass) language plpgsql as $$
begin
  execute format(
    'create trigger append_only before update or delete or truncate on %s
       for each statement execute function refuse(''PRS01'', ''append-only'')', ledger);
  execute format('alter table %s enable always trigger append_only', ledger);
end $$;

-- A table whose rows may change but never go away.
create procedure make_permanent(permanent_table regclass) language plpgsql as $$
begin
  execute format(
    'create trigger permanent before delete or truncate on %s
       for each statement execute function refuse(''PRS01'', ''permanent'')', permanent_table);
  execute format('alter table %s enable always trigger permanent', permanent_table);
end $$;

-- A guard that reads tables finds these and no others: neither a temporary table of the same name nor
-- an operator of the caller's own search path can stand in.
create procedure make_undeceivable(guard regprocedure) language plpgsql as $$
begin
  execute format('alter function %s set search_path = %I, pg_temp', guard, current_schema());
end $$;
