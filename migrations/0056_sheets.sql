-- Where the orders of a store are written: one tab of a spreadsheet a connection.
create table sheet_targets (
  connection_id text collate "C" primary key references integrations,
  store_id text not null references stores on delete cascade,
  -- Another where it becomes another sheet.
  generation text not null,
  spreadsheet_id text not null,
  tab_id text not null,
  key_header text not null,
  columns jsonb not null,
  statuses text[],
  since timestamptz not null,
  -- When orders are looked for that were taken while it was made.
  fills_at timestamptz,
  rests_until timestamptz,
  failures integer not null default 0,
  problem text,
  problem_since timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((problem is null) = (problem_since is null))
);
create index on sheet_targets (store_id);
create index on sheet_targets (fills_at) where fills_at is not null;

-- The row of each order. Nothing refers to the sheet: who takes an order waits for nobody who sets up another one.
create table sheet_rows (
  connection_id text collate "C" not null,
  order_id text collate "C" not null,
  store_id text not null,
  stands text not null default 'no' check (stands in ('no', 'maybe', 'yes', 'gone')),
  wanted bigint not null default 1,
  written bigint not null default 0,
  order_version integer,
  primary key (connection_id, order_id)
);
create index sheet_rows_waiting on sheet_rows (connection_id, order_id) where wanted > written and stands <> 'gone';
create index on sheet_rows (store_id, order_id);

-- Who writes into a file now.
create table sheet_turns (
  file text primary key,
  by text not null,
  until timestamptz not null
);

-- Whoever takes or changes an order leaves word of it.
create function sheets_mark() returns trigger language plpgsql as $$
begin
  insert into sheet_rows (connection_id, order_id, store_id)
  select t.connection_id, new.id, new.store_id from sheet_targets t
  where t.store_id = new.store_id and (
    exists (select 1 from sheet_rows r where r.connection_id = t.connection_id and r.order_id = new.id)
    or (new.created_at >= t.since and new.deleted_at is null and (t.statuses is null or new.status = any (t.statuses))))
  on conflict (connection_id, order_id) do update set wanted = sheet_rows.wanted + 1;
  return null;
end $$;
create trigger sheets_new after insert on orders for each row execute function sheets_mark();
create trigger sheets_change after update on orders for each row when (
  (old.status, old.version, old.total, old.paid, old.note, old.promo_code, old.parcel_id, old.deleted_at)
    is distinct from
  (new.status, new.version, new.total, new.paid, new.note, new.promo_code, new.parcel_id, new.deleted_at)
) execute function sheets_mark();
