-- The guards that the roots and ledgers of all families have alike, written from the tables' own
-- columns: a list by hand can forget one. Called again after a table got new columns, the procedures
-- write the guards anew.

-- A root: it never goes away, its revision steps by one, and owner, identifier, creation and the columns
-- of `fixed` stay as they are.
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

-- A root's ledger: when a transaction ends, the row of the present revision equals the root in every
-- column that both tables have, its created_at is the root's updated_at, and no row runs ahead of the
-- root. `root_only` names the columns of the root that no revision has; all others must be in both.
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
  -- Values of type json cannot be compared, their texts can.
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

-- Memories get theirs through the procedures.
drop trigger memory_ledger_matches_root on memory_revisions;
drop function memory_ledger_matches_root();
call make_root('memories', 'memory_id', array['original_content']);
call make_ledger_of_root('memory_revisions', 'memories', 'memory_id', array['original_content']);
