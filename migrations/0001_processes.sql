-- Which processes work jobs: those that stop saying so have their jobs given to others.
create table worker_processes (
  id text primary key,
  worker_ids text[] not null,
  seen_at timestamptz not null default now()
);

-- The first answer to a write with an Idempotency-Key, kept in the transaction of that write, sealed because it may hold a secret.
create table idempotency_keys (
  owner text not null,
  key text not null,
  request_hash text not null,
  status integer not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (owner, key)
);
create index on idempotency_keys (created_at);
