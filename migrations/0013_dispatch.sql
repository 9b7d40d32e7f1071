-- How a store chooses a carrier for an order: an ordered list, read whole and written whole.
create table dispatch_rules (
  store_id text primary key references stores,
  rules jsonb not null,
  updated_at timestamptz not null default now()
);

-- Every choice of a carrier for an order: who decided, why, and what came of it. It says whose share was used.
create table dispatches (
  store_id text not null references stores,
  id text collate "C" not null,
  order_id text not null,
  -- The rule that decided; null where the store has none.
  rule text,
  -- Who has the order, or is being asked; null where nobody took it.
  carrier text,
  reason text not null,
  outcome text not null check (outcome in ('running', 'sent', 'waiting', 'unknown', 'refused')),
  tried jsonb not null default '[]',
  parcel_id text,
  at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (store_id, id)
);
-- One order is given out once at a time.
create unique index dispatches_running on dispatches (store_id, order_id) where outcome = 'running';
create index dispatches_order on dispatches (store_id, order_id, id);
create index dispatches_shares on dispatches (store_id, rule, at) include (carrier) where carrier is not null;

-- What became of a carrier's parcels in a state.
create index parcels_success on parcels (carrier_account_id, (destination->>'stateCode'), created_at) where status in ('delivered', 'returned');
