-- Tables that grow without end stand in partitions by time: what is new stays small, and what is old is dropped whole where it has an age.
-- Which are made ahead, and which go, is kept by core/data/partitions.ts. What was there before becomes the first partition as it is; what has
-- no partition of its own yet lies in the rest.

-- How ids begin that are made at a moment.
create function pg_temp.moment(at timestamptz) returns text language plpgsql as $$
declare
  rest bigint := floor(extract(epoch from at) * 1000);
  digits text := '';
begin
  for digit in 1..10 loop
    digits := substr('0123456789abcdefghjkmnpqrstvwxyz', (rest % 32)::integer + 1, 1) || digits;
    rest := rest / 32;
  end loop;
  return digits;
end $$;

-- Puts a partitioned table in the place of this one, which is its partition up to the end of the present period, or up to its beginning where
-- it is empty. `prefix`: of the ids that it is divided by; null for moments. `options`: of how the rest is stored.
create function pg_temp.divide(name text, key text, prefix text, weeks integer, options text default '') returns void language plpgsql as $$
declare
  has_rows boolean;
  number integer;
  border_at timestamptz;
  border text;
  before text;
  rest text := name || '_rest';
  index_name text;
begin
  execute format('select exists (select from %I)', name) into has_rows;
  number := floor(extract(epoch from now()) / (604800 * weeks))::integer + has_rows::integer;
  border_at := to_timestamp(number::bigint * 604800 * weeks);
  border := coalesce(prefix || '_' || pg_temp.moment(border_at), border_at::text);
  before := name || '_before_' || number;
  execute format('alter table %I rename to %I', name, before);
  for index_name in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = before::regclass loop
    execute format('alter index %I rename to %I', index_name, left(index_name, 55) || '_before');
  end loop;
  execute format('create table %I (like %I including all) partition by range (%I)', name, before, key);
  execute format('create table %I partition of %I for values from (%L) to (maxvalue) %s', rest, name, border, options);
  -- Of clocks that are ahead.
  execute format('with ahead as (delete from %I where %I >= %L returning *) insert into %I select * from ahead', before, key, border, rest);
  execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', name, before, border);
end $$;

-- Events and deliveries, with their project in their keys.
alter table events drop constraint events_pkey, add primary key (project_id, id);
select pg_temp.divide('events', 'id', 'evt', 1);

create sequence webhook_deliveries_positions;
select setval('webhook_deliveries_positions', last_value, is_called) from webhook_deliveries_position_seq;
alter table webhook_deliveries
  alter column position drop identity,
  alter column position set default nextval('webhook_deliveries_positions'),
  drop constraint webhook_deliveries_pkey,
  add primary key (project_id, endpoint_id, id);
select pg_temp.divide('webhook_deliveries', 'id', 'dlv', 1,
  'with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)');

-- Traces say whose they are; those of the platform's connections are nobody's.
alter table carrier_traces add column project_id text collate "C" not null default '';
update carrier_traces t set project_id = s.project_id from integrations i join stores s on s.id = i.store_id where i.id = t.connection_id;
alter table carrier_traces drop constraint carrier_traces_pkey, add primary key (connection_id, id, project_id);
-- They are found and go by their partition.
drop index carrier_traces_at;
select pg_temp.divide('carrier_traces', 'id', 'trc', 1);

alter table idempotency_keys drop constraint idempotency_keys_pkey, add primary key (owner, key, created_at);
drop index idempotency_keys_created_at_idx;
select pg_temp.divide('idempotency_keys', 'created_at', null, 1);

-- What is said of a parcel stands in one partition, that of the time when the parcel was made.
alter table parcel_events alter column parcel_id type text collate "C";
select pg_temp.divide('parcel_events', 'parcel_id', 'par', 13);
alter table parcel_reports alter column parcel_id type text collate "C";
select pg_temp.divide('parcel_reports', 'parcel_id', 'par', 13);

-- The ledger.
drop trigger final on inventory_operations;
drop trigger final on inventory_movements;
alter table inventory_movements drop constraint inventory_movements_project_id_operation_id_fkey;
alter table inventory_operations drop constraint inventory_operations_project_id_reverses_id_fkey;
drop index inventory_operations_project_id_reverses_id_idx;
select pg_temp.divide('inventory_operations', 'id', 'op', 13);

create sequence inventory_movements_positions;
select setval('inventory_movements_positions', last_value, is_called) from inventory_movements_position_seq;
alter table inventory_movements
  alter column position drop identity,
  alter column position set default nextval('inventory_movements_positions'),
  drop constraint inventory_movements_pkey,
  add primary key (project_id, operation_id, line, created_at);
select pg_temp.divide('inventory_movements', 'created_at', null, 13);

alter table inventory_operations add foreign key (project_id, reservation_id) references inventory_reservations;
-- No reference to operations: one statement writes both, and over partitions each of its lines would be looked up by a plan of its own.
alter table inventory_movements add foreign key (project_id, namespace, key, batch) references inventory_balances;

-- An operation is reversed at most once, wherever the two of them stand.
create table inventory_reversals (
  project_id text collate "C" not null,
  reverses_id text collate "C" not null,
  operation_id text collate "C" not null,
  primary key (project_id, reverses_id)
);
insert into inventory_reversals select project_id, reverses_id, id from inventory_operations where reverses_id is not null;
-- What is reversed is there, and stays. No reference: that would hold rows in the partition where they lie, and those of the rest move once.
create function inventory_find_reversed() returns trigger language plpgsql as $$
begin
  if not exists (select from inventory_operations where project_id = new.project_id and id = new.reverses_id) then
    raise foreign_key_violation using message = 'There is no operation ' || new.reverses_id || ' to reverse.';
  end if;
  return new;
end $$;
create trigger reversed_exists before insert on inventory_reversals for each row execute function inventory_find_reversed();
create function inventory_note_reversal() returns trigger language plpgsql as $$
begin
  insert into inventory_reversals values (new.project_id, new.reverses_id, new.id);
  return null;
end $$;
create trigger reverses after insert on inventory_operations for each row when (new.reverses_id is not null) execute function inventory_note_reversal();

-- Whoever names a partition is refused as well: each that is made gets the triggers of its table.
create trigger final before update or delete or truncate on inventory_reversals for each statement execute function inventory_refuse_change();
do $$
declare
  part text;
begin
  for part in
    select 'inventory_operations' union select 'inventory_movements'
    union select inhrelid::regclass::text from pg_inherits where inhparent in ('inventory_operations'::regclass, 'inventory_movements'::regclass)
  loop
    execute format('create trigger final before update or delete or truncate on %s for each statement execute function inventory_refuse_change()', part);
  end loop;
end $$;

-- The same keeper sees to the tokens.
do $$
declare
  part text;
  first integer;
  last integer;
begin
  foreach part in array array['oauth_access_tokens', 'oauth_refresh_tokens'] loop
    select min(substring(c.relname from '\d+$')::integer), max(substring(c.relname from '\d+$')::integer) into first, last
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = part::regclass;
    execute format('create table %I partition of %I for values from (minvalue) to (%s)', part || '_before_' || first, part, first);
    execute format('create table %I partition of %I for values from (%s) to (maxvalue)', part || '_rest', part, last + 1);
  end loop;
end $$;
drop function oauth_make_weeks;
drop function oauth_drop_weeks;
