-- Integrations: connections to outside platforms, their tokens and recorded calls.

create table integrations (
  store_id text,
  id text collate "C" not null,
  key text not null,
  kind text not null,
  enabled boolean not null,
  credentials text not null,
  settings jsonb not null,
  status text not null default 'untested',
  status_message text,
  sync jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  owner text not null default 'store',
  name text not null default '',
  -- Reason why a person has to act, with attention_since.
  attention text,
  attention_since timestamptz,
  attention_operation text,
  last_success_at timestamptz,
  constraint integrations_pkey primary key (id),
  constraint integrations_store_id_fkey foreign key (store_id) references stores(id),
  constraint integrations_attention check ((attention is null) = (attention_since is null)),
  constraint integrations_owned check ((owner = 'store') = (store_id is not null)),
  constraint integrations_owner_check check (owner in ('store', 'platform')),
  constraint integrations_status_check check (status in ('untested', 'connected', 'failed'))
);
comment on table integrations is 'Connection of a store, or of the platform, to an adapter, with sealed credentials and its state.';
create unique index integrations_key on integrations (store_id, key, name) nulls not distinct where deleted_at is null;
create index integrations_store_id_id_idx on integrations (store_id, id);

create table oauth_states (
  digest text not null,
  connection_id text not null,
  begun_by text not null,
  redirect_uri text not null,
  return_to text,
  expires_at timestamptz not null,
  constraint oauth_states_pkey primary key (digest),
  constraint oauth_states_connection_id_fkey foreign key (connection_id) references integrations(id)
);
comment on table oauth_states is 'Sign-in at an outside platform that was started and has not come back.';
create index oauth_states_expires_at_idx on oauth_states (expires_at);

create table oauth_tokens (
  connection_id text not null,
  sealed text not null,
  -- Grows with each new set of tokens.
  version integer not null default 1,
  expires_at timestamptz,
  -- When they are renewed; null when they cannot be.
  renew_at timestamptz,
  renewed_at timestamptz not null default now(),
  renewing_by text,
  renewing_until timestamptz,
  -- An earlier renewal got no answer, so the refresh token may be used up.
  unanswered boolean not null default false,
  failures integer not null default 0,
  retry_at timestamptz,
  -- The platform refused the renewal for good.
  refused text,
  handed_until timestamptz,
  constraint oauth_tokens_pkey primary key (connection_id),
  constraint oauth_tokens_connection_id_fkey foreign key (connection_id) references integrations(id)
);
comment on table oauth_tokens is 'Sealed OAuth tokens of a connection.';
create index oauth_tokens_renew_at_idx on oauth_tokens (renew_at) where refused is null;

create table adapter_storage (
  connection_id text not null,
  key text collate "C" not null,
  value jsonb not null,
  constraint adapter_storage_pkey primary key (connection_id, key)
);
comment on table adapter_storage is 'Value that an adapter keeps for one connection.';

create table carrier_places (
  connection_id text not null,
  -- Our city code and the name and id that the carrier uses.
  matched jsonb not null,
  -- Places of the carrier that match none of ours, and the reverse.
  leftovers jsonb not null,
  synced_at timestamptz not null default now(),
  constraint carrier_places_pkey primary key (connection_id)
);
comment on table carrier_places is 'Places of a carrier beside ours, as they were when they were read.';

create table carrier_calls (
  connection_id text not null,
  at timestamptz not null,
  expires_at timestamptz not null
);
comment on table carrier_calls is 'Call to a carrier with a rate window, noted before it leaves. A process that has lost its counters begins with these.';
create index carrier_calls_account on carrier_calls (connection_id, at desc);
create index carrier_calls_expired on carrier_calls (expires_at);

create table carrier_traces (
  connection_id text not null,
  id text collate "C" not null,
  parcel_ids text[] not null,
  at timestamptz not null,
  ms integer not null,
  operation text not null,
  outcome text not null,
  message text,
  exchanges jsonb not null,
  -- Null for connections of the platform.
  project_id text collate "C" not null default '',
  constraint carrier_traces_pkey primary key (connection_id, id, project_id)
) partition by range (id);
comment on table carrier_traces is 'Recorded call to an outside platform without secrets, kept for 30 days. Partitioned by week.';
create table carrier_traces_rest partition of carrier_traces for values from (minvalue) to (maxvalue);
create index carrier_traces_parcel_ids_idx on carrier_traces using gin (parcel_ids) with (fastupdate='on');
create index carrier_traces_project on carrier_traces (project_id, connection_id, id);
