-- Lines are looked up by the id of their order, which sorts as bytes do: no index of another collation serves that.
alter table order_items alter column order_id type text collate "C";

-- What a store's orders come to by day, so that nobody reads five million of them. A day's figures hold until one of its orders changes:
-- each change leaves a mark, in its own transaction and beside those of others, and whoever reads counts marked days anew.
create table analytics_marks (
  store_id text collate "C" not null,
  -- When the order that changed was taken.
  at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index on analytics_marks (store_id, at);

-- The days that are counted, and in which zone they began.
create table analytics_days (
  store_id text collate "C" not null,
  day date not null,
  time_zone text not null,
  primary key (store_id, day)
);

-- What was counted: of all orders of a day by status, and of each value of what they can be told apart by.
create table analytics_cells (
  store_id text collate "C" not null,
  dimension text not null,
  day date not null,
  key text collate "C" not null,
  status text not null,
  orders integer not null,
  units bigint not null,
  goods numeric not null,
  delivery numeric not null,
  discount numeric not null,
  total numeric not null,
  paid numeric not null,
  cost numeric not null,
  units_without_cost bigint not null,
  primary key (store_id, dimension, day, key, status)
);
create index analytics_cells_of_key on analytics_cells (store_id, dimension, key, day);

create function analytics_mark() returns trigger language plpgsql as $$
begin
  insert into analytics_marks values (new.store_id, new.created_at);
  return null;
end $$;
create trigger marks_new after insert on orders for each row execute function analytics_mark();
-- Its version grows with its lines, amounts and address.
create trigger marks_change after update on orders for each row when (
  (old.status, old.version, old.total, old.paid, old.payment_status, old.assigned_to, old.deleted_at, old.promo_code, old.metadata)
    is distinct from
  (new.status, new.version, new.total, new.paid, new.payment_status, new.assigned_to, new.deleted_at, new.promo_code, new.metadata)
) execute function analytics_mark();

-- What is there already is counted soon; one mark a quarter of an hour will do, since days begin with one everywhere.
insert into analytics_marks select distinct store_id, date_bin('15 minutes', created_at, 'epoch') from orders;
