-- When the carrier is asked for news of a parcel next; null where none is awaited any more.
alter table parcels add column poll_at timestamptz;
create index parcels_poll on parcels (poll_at) include (carrier_account_id) where poll_at is not null;
update parcels set poll_at = now() where tracking_id is not null and status not in ('created', 'submitting', 'returned', 'cancelled', 'lost');

alter table unknown_statuses add column first_seen_at timestamptz not null default now();
alter table unknown_statuses add column sample_parcel_id text;

-- What a raw status means for one connection, as a person said; it goes before the adapter's own table.
create table status_rules (
  connection_id text not null,
  -- The raw status without case, accents and punctuation.
  folded text collate "C" not null,
  raw text not null,
  status text,
  cash text,
  flag text,
  created_at timestamptz not null default now(),
  primary key (connection_id, folded)
);
create index parcel_reports_unmapped on parcel_reports (carrier_status) where outcome = 'unmapped';

-- The carrier's places beside ours, as they were when they were read.
create table carrier_places (
  connection_id text primary key,
  -- Our city code → the carrier's name and id of it.
  matched jsonb not null,
  -- The carrier's places that are none of ours, and ours that are none of the carrier's.
  leftovers jsonb not null,
  synced_at timestamptz not null default now()
);

-- A recipient's history over the platform is counted by phone.
create index parcels_phone on parcels ((recipient->>'phone'));
