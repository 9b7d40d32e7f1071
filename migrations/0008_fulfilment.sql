-- Fulfilment: rules that choose a carrier, and runs of the dispatcher.

create table dispatch_rules (
  store_id text not null,
  rules jsonb not null,
  updated_at timestamptz not null default now(),
  constraint dispatch_rules_pkey primary key (store_id),
  constraint dispatch_rules_store_id_fkey foreign key (store_id) references stores(id)
);
comment on table dispatch_rules is 'Ordered rules of a store that choose the carrier of an order. Read and written as a whole.';

create table dispatches (
  store_id text not null,
  id text collate "C" not null,
  order_id text not null,
  -- Rule that decided; null where the store has none.
  rule text,
  -- Carrier that has the order or is being asked; null where none took it.
  carrier text,
  reason text not null,
  outcome text not null,
  tried jsonb not null default '[]',
  parcel_id text,
  at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint dispatches_pkey primary key (store_id, id),
  constraint dispatches_store_id_fkey foreign key (store_id) references stores(id),
  constraint dispatches_outcome_check check (outcome in ('running', 'sent', 'waiting', 'unknown', 'refused'))
);
comment on table dispatches is 'Choice of a carrier for an order: the rule, the reason and the outcome. Shares of carriers are counted from these.';
create index dispatches_age on dispatches (at) where outcome <> 'running';
create index dispatches_order on dispatches (store_id, order_id, id);
create unique index dispatches_running on dispatches (store_id, order_id) where outcome = 'running';
create index dispatches_shares on dispatches (store_id, rule, at) include (carrier) where carrier is not null;
