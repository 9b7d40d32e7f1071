-- Stock that a connected shop was told last, by SKU: only what differs is told again.
create table channel_stock (
  connection_id text collate "C" not null references integrations,
  sku text collate "C" not null,
  store_id text not null references stores,
  available integer not null,
  told_at timestamptz not null default now(),
  primary key (connection_id, sku)
);
create index on channel_stock (store_id);
