-- The presets that know the header of a table.

alter table imports
  -- Names of presets; null for none.
  add column presets json
    constraint import_presets_listed check (json_typeof(presets) = 'array');
