-- Shops elsewhere whose orders become ours: how it goes with each connection to one.
create table channels (
  connection_id text primary key references integrations,
  -- Where the shop was asked to call back, when it was looked after last, and why that came to nothing.
  webhook_address text,
  subscribed_at timestamptz,
  subscribe_message text,
  -- The reading of orders that is under way, or was last: it goes on from its cursor.
  pull_status text not null default 'idle' check (pull_status in ('idle', 'queued', 'running', 'done', 'failed')),
  pull_since timestamptz,
  pull_cursor text,
  pull_seen integer not null default 0,
  pull_changed integer not null default 0,
  pull_total integer,
  pull_message text,
  pull_started_at timestamptz,
  pull_finished_at timestamptz,
  -- What was changed before that has been read.
  pulled_until timestamptz not null default now(),
  next_pull_at timestamptz not null default now()
);
create index on channels (next_pull_at);

-- An order of a shop elsewhere, once, and which of ours it became.
create table channel_orders (
  connection_id text not null references integrations,
  external_id text collate "C" not null,
  id text collate "C" not null unique,
  store_id text not null references stores,
  number text not null,
  -- `waiting`: for a person, or for goods to be matched; `taken`: it is one of ours; `over`: it was over before it became one.
  state text not null check (state in ('waiting', 'taken', 'over')),
  -- Why it waits, or why what the shop changed was not followed.
  why text,
  message text,
  -- Goods that nobody has matched yet.
  missing text[] not null default '{}',
  -- What the shop said last, and what of it our order is.
  told jsonb not null,
  told_at timestamptz not null,
  applied jsonb,
  order_id text,
  -- What the shop was told of it.
  pushed jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (connection_id, external_id),
  check ((state = 'taken') = (order_id is not null))
);
create index on channel_orders (connection_id, id);
create index channel_orders_waiting on channel_orders (connection_id, id) where state = 'waiting';
create unique index on channel_orders (store_id, order_id) where order_id is not null;
create index on channel_orders (updated_at) where state = 'taken';

-- Goods as a shop names them, which no product of the store is called: a person says once what each is.
create table channel_goods (
  connection_id text not null references integrations,
  key text collate "C" not null,
  id text collate "C" not null unique,
  store_id text not null references stores,
  sku text,
  name text not null,
  variant text,
  product_id text,
  variant_id text,
  matched_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (connection_id, key)
);
create index on channel_goods (connection_id, id);

-- Callbacks as they came, proven: worked by a job, and kept for a while to be worked again.
create table channel_callbacks (
  id text collate "C" primary key,
  connection_id text not null references integrations,
  url text not null,
  method text not null,
  headers jsonb not null,
  body bytea not null,
  received_at timestamptz not null default now(),
  worked_at timestamptz,
  news integer
);
create index on channel_callbacks (received_at);

-- Somebody who went to a page of the shop so that it sends us keys.
create table channel_links (
  digest text primary key,
  store_id text not null references stores,
  key text not null,
  shop text not null,
  name text not null,
  begun_by text not null,
  outcome text check (outcome in ('connected', 'failed')),
  expires_at timestamptz not null
);
create index on channel_links (expires_at);
