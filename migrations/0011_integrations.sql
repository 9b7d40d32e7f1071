create table integrations (
  store_id text not null references stores,
  id text collate "C" not null,
  key text not null,
  kind text not null,
  enabled boolean not null,
  credentials text not null,
  settings jsonb not null,
  status text not null default 'untested' check (status in ('untested', 'connected', 'failed')),
  status_message text,
  sync jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (store_id, id)
);
create unique index integrations_id on integrations (id);
create unique index integrations_key on integrations (store_id, key) where deleted_at is null;

-- What an adapter notes for one connection.
create table adapter_memory (
  connection_id text not null,
  key text collate "C" not null,
  value jsonb not null,
  primary key (connection_id, key)
);

-- Raw statuses that no table knows, counted until a person maps them.
create table unknown_statuses (
  connection_id text not null,
  raw text not null,
  count integer not null default 1,
  last_seen_at timestamptz not null default now(),
  primary key (connection_id, raw)
);
