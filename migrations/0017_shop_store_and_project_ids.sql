-- The ids of a store and its project differ in the prefix alone, so that either leads to the other without a search. A project that was
-- created before gets the id of its store here: it stands in fewer addresses that others keep than the store's id.
do $$
declare
  reference record;
  owned record;
begin
  create temporary table renamed_projects on commit drop as
    select project_id as before, 'prj_' || substr(id, 5) as after from stores where substr(id, 5) <> substr(project_id, 5);
  if not exists (select from renamed_projects) then return; end if;

  -- References between rows of one project hold again once every table is rewritten.
  create temporary table project_references on commit drop as
    select distinct k.conrelid::regclass::text as table_name, k.conname, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
    where k.contype = 'f' and k.conparentid = 0 and a.attname = 'project_id';
  for reference in select * from project_references loop
    execute format('alter table %s drop constraint %I', reference.table_name, reference.conname);
  end loop;
  for owned in
    select c.oid::regclass::text as table_name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  loop
    execute format('alter table %s disable trigger user', owned.table_name);
    execute format('update %s t set project_id = r.after from renamed_projects r where r.before = t.project_id', owned.table_name);
    execute format('alter table %s enable trigger user', owned.table_name);
  end loop;
  alter table projects disable trigger user;
  update projects p set id = r.after from renamed_projects r where r.before = p.id;
  alter table projects enable trigger user;
  for reference in select * from project_references loop
    execute format('alter table %s add constraint %I %s', reference.table_name, reference.conname, reference.definition);
  end loop;

  -- Stored responses are sealed for their owner, and cannot be opened for another name.
  delete from idempotency_keys k using renamed_projects r where r.before = k.owner;
  if to_regclass('graphile_worker._private_jobs') is not null then
    update graphile_worker._private_jobs j set payload = jsonb_set(j.payload::jsonb, '{projectId}', to_jsonb(r.after))::json
    from renamed_projects r where j.payload ->> 'projectId' = r.before;
  end if;
end
$$;

alter table stores add constraint stores_id_of_project check (substr(id, 5) = substr(project_id, 5));

create function key_by_project(variadic tables text[]) returns void
language plpgsql as $$
declare
  each text;
  named record;
  reference record;
begin
  foreach each in array tables loop
    execute format('alter table %I rename column store_id to project_id', each);
  end loop;
  create temporary table owner_references on commit drop as
    select distinct k.conrelid::regclass::text as table_name, k.confrelid::regclass::text as target, k.conname, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
    where k.contype = 'f' and k.conparentid = 0
      and ((k.conrelid::regclass::text = any (tables) and a.attname = 'project_id') or (k.confrelid::regclass::text = any (tables) and a.attname = 'store_id'));
  for reference in select * from owner_references loop
    if not reference.table_name = any (tables) or not reference.target = any (tables || array['stores', 'projects']) then
      raise exception 'Drop % of % first: its other side has another key.', reference.conname, reference.table_name;
    end if;
    execute format('alter table %s drop constraint %I', reference.table_name, reference.conname);
  end loop;
  foreach each in array tables loop
    execute format('alter table %I disable trigger user', each);
    execute format('update %I set project_id = coalesce(''prj_'' || substr(project_id, 5), '''')', each);
    execute format('alter table %I enable trigger user', each);
  end loop;
  for reference in select * from owner_references loop
    execute format('alter table %s add constraint %I %s', reference.table_name, reference.conname,
      replace(reference.definition, 'REFERENCES stores(id)', 'REFERENCES stores(project_id)'));
  end loop;
  for named in
    select conrelid::regclass::text as table_name, conname as name, true as is_constraint from pg_constraint
    where conrelid::regclass::text = any (tables) and conname like '%store\_id%' and conparentid = 0
    union all
    select i.indrelid::regclass::text, i.indexrelid::regclass::text, false from pg_index i
    where i.indrelid::regclass::text = any (tables) and i.indexrelid::regclass::text like '%store\_id%'
      and not exists (select from pg_constraint where conindid = i.indexrelid)
  loop
    if named.is_constraint then
      execute format('alter table %s rename constraint %I to %I', named.table_name, named.name, replace(named.name, 'store_id', 'project_id'));
    else
      execute format('alter index %I rename to %I', named.name, replace(named.name, 'store_id', 'project_id'));
    end if;
  end loop;
  drop table owner_references;
end
$$;
comment on function key_by_project is 'Makes the store of these tables their project: renames the column, its values, constraints and indexes. A row without a store becomes one of the platform, whose project id is empty. For migrations alone.';
