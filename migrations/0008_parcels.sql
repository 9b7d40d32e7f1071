create table parcel_batches (
  project_id text not null,
  id text collate "C" not null,
  status text not null default 'processing' check (status in ('processing', 'completed')),
  total integer not null,
  rows jsonb not null,
  results jsonb not null default '[]',
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (project_id, id)
);

create table parcels (
  project_id text not null references projects,
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
  cod_amount numeric(19, 4) not null check (cod_amount >= 0),
  declared_value numeric(19, 4) not null check (declared_value >= 0),
  weight_kg numeric(12, 4) not null default 0,
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
  primary key (project_id, id),
  unique (project_id, reference),
  check (status not in ('submitting', 'submitted') or carrier_account_id is not null)
);
create unique index parcels_id on parcels (id);
create unique index parcels_tracking on parcels (carrier_account_id, tracking_id) where tracking_id is not null;
create index parcels_status on parcels (project_id, status, id);
create index parcels_account on parcels (carrier_account_id, status);
-- One order, one parcel, whatever is retried.
create unique index parcels_live_of_order on parcels (order_id) where order_id is not null and status <> 'cancelled';

create table parcel_events (
  project_id text not null,
  parcel_id text not null,
  id text collate "C" not null,
  type text not null check (type in ('created', 'submitted', 'status_changed')),
  source text not null,
  at timestamptz not null,
  from_status text,
  to_status text,
  payload jsonb not null default '{}',
  primary key (project_id, parcel_id, id)
);

-- Every word of a carrier on a parcel, once; what it moved, if anything.
create table parcel_reports (
  project_id text not null,
  parcel_id text not null,
  event_key text not null,
  source text not null,
  carrier_status text,
  reason text,
  at timestamptz not null,
  received_at timestamptz not null default now(),
  outcome text not null check (outcome in ('applied', 'cash', 'stale', 'same', 'unmapped', 'impossible', 'ignored')),
  primary key (project_id, parcel_id, event_key)
);
