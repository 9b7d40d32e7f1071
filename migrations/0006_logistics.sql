-- Logistics: parcels, their events, batches and pickups.

create table parcels (
  project_id text not null,
  id text collate "C" not null,
  tenant_id integer not null,
  reference text not null,
  status text not null,
  outcome_unknown boolean not null default false,
  carrier_account_id text,
  courier_id text,
  tracking_id text,
  batch_id text,
  order_id text,
  recipient jsonb not null,
  destination jsonb not null,
  cod_amount numeric(19,4) not null,
  declared_value numeric(19,4) not null,
  weight_kg numeric(12,4) not null default 0,
  dimensions jsonb,
  contents text not null default '',
  notes text not null default '',
  delivery_attempts integer not null default 0,
  ready_for_pickup boolean not null default false,
  cash_status text not null default 'none',
  label_url text,
  carrier_data jsonb not null default '{}',
  last_error jsonb,
  metadata jsonb not null default '{}',
  sequence integer not null default 0,
  submit_attempts integer not null default 0,
  submitting_since timestamptz,
  last_report_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  submitted_at timestamptz,
  delivered_at timestamptz,
  returned_at timestamptz,
  cancelled_at timestamptz,
  -- When the carrier is asked next; null when nothing more is expected.
  poll_at timestamptz,
  order_version integer not null default 0,
  -- When the parcel is submitted or its outcome is looked up.
  submit_at timestamptz,
  -- Warnings of its submission, and the place that was rewritten.
  told jsonb,
  submitting_by bigint,
  part_id text collate "C",
  takes_back text,
  -- Actor that asked for its submission.
  sent_by jsonb,
  erased_at timestamptz,
  constraint parcels_pkey primary key (project_id, id),
  constraint parcels_project_id_reference_key unique (project_id, reference),
  constraint parcels_project_id_fkey foreign key (project_id) references projects(id),
  constraint parcels_check check ((status not in ('submitting', 'submitted')) or carrier_account_id is not null),
  constraint parcels_cod_amount_check check (cod_amount >= 0),
  constraint parcels_declared_value_check check (declared_value >= 0),
  constraint parcels_submit_at_check check (submit_at is null or (status in ('created', 'submitting')))
);
comment on table parcels is 'A parcel at a carrier, or one that is to be submitted. Its reference is unique in the project.';
create index parcels_account on parcels (carrier_account_id, status);
create index parcels_batch on parcels (project_id, batch_id, id) where batch_id is not null;
create index parcels_erased on parcels (erased_at) where erased_at is not null;
create index parcels_folded on parcels (carrier_account_id, cash_fold(tracking_id)) where tracking_id is not null;
create unique index parcels_live_of_order on parcels (order_id, project_id, coalesce(part_id, '')) where (order_id is not null) and (status <> 'cancelled');
create index parcels_of_account on parcels (project_id, carrier_account_id, id);
create index parcels_of_account_updated on parcels (project_id, carrier_account_id, updated_at, id);
create index parcels_phone on parcels (((recipient ->> 'phone')), project_id, id);
create index parcels_phone_alt on parcels (project_id, ((recipient ->> 'phoneAlt'))) where (recipient ->> 'phoneAlt') is not null;
create index parcels_poll on parcels (carrier_account_id, poll_at) where poll_at is not null;
create index parcels_status on parcels (project_id, status, id);
create index parcels_status_updated on parcels (project_id, status, updated_at, id);
create index parcels_submit on parcels (carrier_account_id, submit_at) where submit_at is not null;
create index parcels_submitting_by on parcels (submitting_by) where (status = 'submitting') and (submitting_by is not null);
create index parcels_success on parcels (carrier_account_id, ((destination ->> 'stateCode')), created_at) where status in ('delivered', 'returned');
create unique index parcels_tracking on parcels (project_id, tracking_id, carrier_account_id) where tracking_id is not null;
create index parcels_updated on parcels (project_id, updated_at, id);
create index parcels_waiting on parcels (project_id, id) where (status = 'created') and (submit_at is not null);

create table parcel_leases (
  project_id text not null,
  parcel_id text collate "C" not null,
  id text collate "C" not null,
  -- Fields that the carrier was asked to change; null for a cancellation.
  fields text[],
  until timestamptz not null,
  constraint parcel_leases_pkey primary key (project_id, parcel_id)
);
comment on table parcel_leases is 'Change of a parcel that its carrier is being asked for. One at a time over all processes.';
create index parcel_leases_until_idx on parcel_leases (until);

create table parcel_events (
  project_id text not null,
  parcel_id text collate "C" not null,
  id text collate "C" not null,
  type text not null,
  source text not null,
  at timestamptz not null,
  from_status text,
  to_status text,
  payload jsonb not null default '{}',
  constraint parcel_events_pkey primary key (project_id, parcel_id, id),
  constraint parcel_events_type_check check (type in ('created', 'submitted', 'status_changed', 'submission_failed'))
) partition by range (parcel_id);
comment on table parcel_events is 'Step of a parcel on its way. Partitioned by the quarter of the parcel.';
create table parcel_events_rest partition of parcel_events for values from (minvalue) to (maxvalue);

create table parcel_reports (
  project_id text not null,
  parcel_id text collate "C" not null,
  event_key text not null,
  source text not null,
  carrier_status text,
  reason text,
  at timestamptz not null,
  received_at timestamptz not null default now(),
  outcome text not null,
  id text collate "C",
  constraint parcel_reports_pkey primary key (project_id, parcel_id, event_key),
  constraint parcel_reports_outcome_check check (outcome in ('applied', 'cash', 'stale', 'same', 'unmapped', 'impossible', 'ignored'))
) partition by range (parcel_id);
comment on table parcel_reports is 'Report of a carrier about a parcel, each once, and what it changed. Partitioned by the quarter of the parcel.';
create table parcel_reports_rest partition of parcel_reports for values from (minvalue) to (maxvalue);
create index parcel_reports_carrier_status_idx on parcel_reports (carrier_status) where outcome = 'unmapped';
create index parcel_reports_project_id_parcel_id_id_idx on parcel_reports (project_id, parcel_id, id) where id is not null;

create table parcel_batches (
  project_id text not null,
  id text collate "C" not null,
  status text not null default 'processing',
  total integer not null,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  made_by jsonb,
  constraint parcel_batches_pkey primary key (project_id, id),
  constraint parcel_batches_status_check check (status in ('processing', 'completed'))
);
comment on table parcel_batches is 'Request to send or cancel many parcels in the background.';
create index parcel_batches_open on parcel_batches (created_at) where status = 'processing';

create table parcel_batch_rows (
  project_id text not null,
  batch_id text collate "C" not null,
  row integer not null,
  input jsonb,
  reference text,
  parcel_id text collate "C",
  status text not null,
  error jsonb,
  constraint parcel_batch_rows_pkey primary key (project_id, batch_id, "row"),
  constraint parcel_batch_rows_status_check check (status in ('waiting', 'created', 'submitting', 'submitted', 'failed', 'unknown', 'cancelled'))
);
comment on table parcel_batch_rows is 'Row of a batch with its outcome.';
create index parcel_batch_rows_open on parcel_batch_rows (project_id, batch_id, "row") where status in ('waiting', 'submitting');
create index parcel_batch_rows_parcel on parcel_batch_rows (project_id, parcel_id) where status in ('submitting', 'unknown');

create table status_rules (
  connection_id text not null,
  -- Raw status without case, accents and punctuation.
  folded text collate "C" not null,
  raw text not null,
  status text,
  cash text,
  flag text,
  created_at timestamptz not null default now(),
  constraint status_rules_pkey primary key (connection_id, folded)
);
comment on table status_rules is 'Meaning of a raw status for one connection, as a person decided. It goes before the adapters own table.';

create table unknown_statuses (
  connection_id text not null,
  raw text not null,
  count integer not null default 1,
  last_seen_at timestamptz not null default now(),
  first_seen_at timestamptz not null default now(),
  sample_parcel_id text,
  constraint unknown_statuses_pkey primary key (connection_id, raw)
);
comment on table unknown_statuses is 'Raw status that no table knows, counted until a person maps it.';

create table pickups (
  connection_id text not null,
  center_id text not null,
  name text not null,
  address text not null,
  phone text,
  country_code text not null,
  state_code text,
  state_name text,
  city_code text,
  city_name text not null,
  latitude double precision,
  longitude double precision,
  constraint pickups_pkey primary key (connection_id, center_id),
  constraint pickups_connection_id_fkey foreign key (connection_id) references integrations(id)
);
comment on table pickups is 'Place where a carrier hands out parcels, as the carrier last listed it.';

create table pickup_sources (
  connection_id text not null,
  refreshed_at timestamptz,
  asked_at timestamptz,
  failure text,
  asking_by text,
  asking_until timestamptz,
  constraint pickup_sources_pkey primary key (connection_id),
  constraint pickup_sources_connection_id_fkey foreign key (connection_id) references integrations(id)
);
comment on table pickup_sources is 'When the pickup places of a connection were read, and which process is reading them.';
