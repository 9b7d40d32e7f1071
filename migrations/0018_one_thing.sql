-- What an order says of its goods, its money and where it goes; its parcel notes what it was made from. A parcel that was made from less is stale.
alter table orders add column version integer not null default 0;
alter table parcels add column order_version integer not null default 0;

-- Whose turn it is to change a parcel at its carrier, and what is being asked for: one change at a time, over all processes.
create table parcel_turns (
  project_id text not null,
  parcel_id text collate "C" not null,
  id text collate "C" not null,
  -- The fields that the carrier was asked to change; null for a cancellation.
  fields text[],
  until timestamptz not null,
  primary key (project_id, parcel_id)
);
create index on parcel_turns (until);
