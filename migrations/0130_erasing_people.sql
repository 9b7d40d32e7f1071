-- Customers that one person is: later ones point to the first; orders of all their phone numbers are that person's.
alter table customers
  add column merged_into text collate "C",
  add column erased_at timestamptz;
create unique index customers_id on customers (store_id, id);
create index customers_listed on customers (store_id, id) where merged_into is null and erased_at is null;
create index customers_name on customers (store_id, name, id) where merged_into is null and erased_at is null;
create index customers_merged on customers (store_id, merged_into) where merged_into is not null;
create index customers_words on customers using gin (folded(name || ' ' || phone || ' ' || coalesce(phone_alt, '') || ' ' || coalesce(email, '')) gin_trgm_ops);
create index customers_email on customers (store_id, lower(email)) where email is not null;

-- When personal data was erased: what comes later from outside does not bring it back.
alter table orders add column erased_at timestamptz;
alter table parcels add column erased_at timestamptz;
alter table channel_orders add column erased_at timestamptz;
create index orders_email on orders (store_id, lower(customer_email)) where customer_email is not null;
create index parcels_phone_alt on parcels (project_id, (recipient ->> 'phoneAlt')) where recipient ->> 'phoneAlt' is not null;
create index parcels_erased on parcels (erased_at) where erased_at is not null;

-- One erasure, and how far it is. `people` is sealed, and goes when it is over.
create table erasures (
  store_id text collate "C" not null,
  id text collate "C" not null,
  cause text not null check (cause in ('request', 'shop', 'retention')),
  state text not null default 'running' check (state in ('running', 'done')),
  customers integer not null,
  orders integer not null,
  parcels integer not null,
  people text,
  -- Which table it is at, and where in it; `pass` 2 looks once more for what was on its way at the first.
  pass integer not null default 1,
  step integer not null default 0,
  place text,
  asked_by text,
  carriers_told text[] not null default '{}',
  asked_at timestamptz not null default now(),
  done_at timestamptz,
  swept_at timestamptz,
  primary key (store_id, id)
);
create index erasures_open on erasures (asked_at) where swept_at is null;

-- Notes of a ledger may name people. Its amounts and quantities stay what they are.
create or replace function inventory_refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('serai.removes_tenant', true) = 'yes' then return null; end if;
  if tg_op = 'UPDATE' and tg_table_name like 'inventory\_operations%' and current_setting('serai.erases_person', true) = 'yes' then return null; end if;
  raise exception '% is a ledger: its rows are never changed or deleted. Post a reversal instead.', tg_table_name using errcode = 'restrict_violation';
end
$$;
