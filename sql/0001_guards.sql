-- The identifier domain and the guards that all tables share. A guard for one table is next to that table.
-- SQLSTATEs of guards:
--   PRS01  the row is append-only or permanent      PRS04  a fixed column changes
--   PRS02  the status of the person forbids it      PRS05  the row contradicts another row
--   PRS03  a revision or count does not step        PRS06  the time is in the future, or the storage is full
--
-- Conventions of all files:
--   * Structured user data has the type json, not jsonb: it is returned as it was stored.
--   * A time in a request may be five minutes in the future, because clocks differ.
--   * A family with its own tables projects each revision into record_revisions, under the same number
--     (…_is_projected), for generic reads and the changes feed.
--   * The owner is not the first column of a unique constraint or index that resembles the primary key: in a
--     plan made while the table is empty, and cached while it grows, such an index looks as good.

-- A canonical ULID; in the byte order of "C" identifiers sort by time. Checking the length separately takes
-- a tenth of the time of a pattern with a repetition count. Each character is one byte.
create domain ulid as text collate "C"
  constraint canonical_ulid
    check (octet_length(value) = 26 and value ~ '^[0-7][0-9A-HJKMNP-TV-Z]+$');

-- Raises the SQLSTATE and rule that the trigger passes. The trigger's events and WHEN clause, next to its
-- table, show what is rejected.
create function refuse() returns trigger language plpgsql as $$
begin
  raise exception using errcode = tg_argv[0], message = format('%s: %s', tg_table_name, tg_argv[1]);
end $$;

-- Makes a ledger: no role, including replication roles, changes or removes rows.
create procedure make_append_only(ledger regclass) language plpgsql as $$
begin
  execute format(
    'create trigger append_only before update or delete or truncate on %s
       for each statement execute function refuse(''PRS01'', ''append-only'')', ledger);
  execute format('alter table %s enable always trigger append_only', ledger);
end $$;

-- Makes a table whose rows may change but are never removed.
create procedure make_permanent(permanent_table regclass) language plpgsql as $$
begin
  execute format(
    'create trigger permanent before delete or truncate on %s
       for each statement execute function refuse(''PRS01'', ''permanent'')', permanent_table);
  execute format('alter table %s enable always trigger permanent', permanent_table);
end $$;

-- Pins the search path of a guard that reads tables: neither a temporary table of the same name nor an
-- operator in the caller's search path can replace what it reads.
create procedure pin_search_path(guard regprocedure) language plpgsql as $$
begin
  execute format('alter function %s set search_path = %I, pg_temp', guard, current_schema());
end $$;

-- Makes a root: it is never removed, its revision steps by one, and owner, identifier, creation time and
-- the columns of `fixed` never change. Like make_ledger_of_root, it can be called again after a table got
-- new columns.
create procedure make_root(root regclass, id name, fixed name[]) language plpgsql as $$
declare
  kept name[] := array['owner_id', id, 'created_at'] || fixed;
begin
  execute format('drop trigger if exists permanent on %s', root);
  execute format('drop trigger if exists revision_step on %s', root);
  execute format('drop trigger if exists fixed_columns on %s', root);
  call make_permanent(root);
  execute format(
    'create trigger revision_step before update on %s
       for each row when (new.revision is distinct from old.revision + 1)
       execute function refuse(''PRS03'', ''the revision steps by one'')', root);
  execute format('alter table %s enable always trigger revision_step', root);
  execute format(
    'create trigger fixed_columns before update on %s
       for each row when ((%s) is distinct from (%s))
       execute function refuse(''PRS04'', %L)',
    root,
    (select string_agg(format('new.%I', name), ', ') from unnest(kept) name),
    (select string_agg(format('old.%I', name), ', ') from unnest(kept) name),
    array_to_string(kept, ', ') || ' are fixed');
  execute format('alter table %s enable always trigger fixed_columns', root);
end $$;

-- Guards a root's ledger: when a transaction ends, the current revision equals the root in every shared
-- column, its created_at is the root's updated_at, and no row has a higher revision. `root_only` names the
-- root's columns that no revision has. The list of columns comes from the catalog, because a handwritten
-- list can miss one.
create procedure make_ledger_of_root(ledger regclass, root regclass, id name, root_only name[])
language plpgsql as $$
declare
  ledger_name name := (select relname from pg_class where oid = ledger);
  root_name name := (select relname from pg_class where oid = root);
  guard name := ledger_name || '_match_root';
  root_columns text;
  ledger_columns text;
  missing text;
begin
  -- Values of type json cannot be compared, but their texts can.
  select string_agg(a.attname, ', ') filter (where l.attname is null),
         string_agg(format(E',\n    root.%I%s', a.attname,
                           case a.atttypid when 'json'::regtype then '::text' end), ''
                    order by a.attnum),
         string_agg(format(E',\n    new.%I%s', a.attname,
                           case l.atttypid when 'json'::regtype then '::text' end), ''
                    order by a.attnum)
    into missing, root_columns, ledger_columns
    from pg_attribute a left join pg_attribute l
      on l.attrelid = ledger and l.attname = a.attname and l.attnum > 0 and not l.attisdropped
   where a.attrelid = root and a.attnum > 0 and not a.attisdropped
     and a.attname <> all (array['owner_id', id, 'revision', 'created_at', 'updated_at'] || root_only);
  if missing is not null then
    raise exception '% lacks columns of %: %', ledger_name, root_name, missing;
  end if;
  execute format('drop trigger if exists %I on %s', guard, ledger);
  execute format(
    $guard$
create or replace function %1$I() returns trigger language plpgsql as $body$
declare
  root %2$s;
begin
  select * into root from %2$s r
    where r.owner_id = new.owner_id and r.%3$I = new.%3$I;
  if not found or root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = '%4$s: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision and (
    root.updated_at%5$s
  ) is distinct from (
    new.created_at%6$s
  ) then
    raise exception using errcode = 'PRS05', message = '%4$s: the root differs from its revision';
  end if;
  return null;
end $body$
    $guard$,
    guard, root, id, root_name, root_columns, ledger_columns);
  call pin_search_path(format('%I()', guard)::regprocedure);
  execute format(
    'create constraint trigger %1$I after insert on %2$s
       deferrable initially deferred for each row execute function %1$I()', guard, ledger);
  execute format('alter table %s enable always trigger %I', ledger, guard);
end $$;

-- Adds the common keys and checks, the guards of root and ledger, and the count of the ledger's rows
-- (count_rows_of in 0003_commands.sql). `fixed` names the root's columns that no revision has.
create procedure make_revisions(root regclass, ledger regclass, id name, fixed name[])
language plpgsql as $$
declare
  root_name name := (select relname from pg_class where oid = root);
  ledger_name name := (select relname from pg_class where oid = ledger);
begin
  execute format(
    'alter table %1$s
       add column previous_revision integer generated always as (nullif(revision - 1, 0)) stored,
       add constraint %2$I check (revision >= 1),
       add constraint %3$I foreign key (owner_id, %4$I) references %5$s,
       add primary key (owner_id, %4$I, revision),
       -- No gaps: each revision but the first has its predecessor.
       add constraint %6$I foreign key (owner_id, %4$I, previous_revision)
         references %1$s (owner_id, %4$I, revision),
       -- Serves as a page cursor, too.
       add constraint %7$I unique (revision_id, owner_id)',
    ledger, ledger_name || '_revision_positive', ledger_name || '_have_root', id, root,
    ledger_name || '_follow', ledger_name || '_revision_id_unique');
  execute format(
    'alter table %1$s
       add constraint %2$I check (updated_at >= created_at),
       add constraint %3$I foreign key (owner_id, %4$I, revision)
         references %5$s (owner_id, %4$I, revision) deferrable initially deferred',
    root, root_name || '_times_ordered', root_name || '_have_revision', id, ledger);
  call make_root(root, id, fixed);
  call make_append_only(ledger);
  call make_ledger_of_root(ledger, root, id, fixed);
  call count_rows_of(ledger);
end $$;
