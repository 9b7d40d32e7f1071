create table webhook_endpoints (
  id text collate "C" primary key,
  project_id text not null references projects on delete cascade,
  -- Set for a store's webhooks (family A).
  store_id text references stores on delete cascade,
  url text not null,
  description text not null default '',
  events text[] not null check (cardinality(events) > 0),
  -- What `events` says, in the form in which emitting asks.
  all_events boolean not null,
  event_names text[] not null,
  topic_patterns text[] not null,
  ordered boolean not null default false,
  max_per_second integer check (max_per_second > 0),
  enabled boolean not null default true,
  disabled_reason text check (disabled_reason in ('by_owner', 'gone', 'failing')),
  -- The newest first: [{"sealed": "…", "until": null | "…"}].
  secrets jsonb not null,
  failing_since timestamptz,
  last_failed_at timestamptz,
  -- How much of the way to being disabled its owner was told of.
  told_percent integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on webhook_endpoints (project_id, id);

-- What happened, as the exact bytes that are signed and sent. Only events that somebody subscribed to are kept.
create table events (
  id text collate "C" primary key,
  project_id text not null,
  store_id text,
  type text not null,
  body text not null,
  created_at timestamptz not null default now()
);

-- The queue and the log in one. No foreign keys: checking them would lock the endpoint's row in every order's transaction. What
-- belongs to an endpoint that is gone is never claimed, and pruned with age.
create table webhook_deliveries (
  endpoint_id text collate "C" not null,
  id text collate "C" not null,
  project_id text not null,
  event_id text collate "C" not null,
  event_type text not null,
  -- Given in the order of writing: under the lock of the parcel that an event tells of, it is the order of the events.
  position bigint generated always as identity,
  -- Only at endpoints that asked for order.
  order_key text,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'cancelled')),
  next_attempt_at timestamptz not null default now(),
  -- Whoever claimed it sends it until then; nobody else does.
  locked_until timestamptz,
  attempt_count integer not null default 0,
  -- [{"id", "at", "url", "signature", "durationMs", "status", "responseType", "responseHead", "error"}]
  attempts jsonb not null default '[]',
  redelivery_of text,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (endpoint_id, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at, position) where status = 'pending';
create index webhook_deliveries_order on webhook_deliveries (endpoint_id, order_key, position) where status = 'pending' and order_key is not null;

-- What an endpoint's owner was told.
create table webhook_notices (
  id text collate "C" primary key,
  project_id text not null references projects on delete cascade,
  endpoint_id text not null,
  kind text not null check (kind in ('failing', 'disabled_failing', 'disabled_gone')),
  percent integer not null,
  message text not null,
  created_at timestamptz not null default now()
);
create index on webhook_notices (project_id, id);
