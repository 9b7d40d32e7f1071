-- What was asked of a carrier and what it said, secrets taken out. Kept for thirty days.
create table carrier_traces (
  connection_id text not null,
  id text collate "C" not null,
  parcel_ids text[] not null,
  at timestamptz not null,
  ms integer not null,
  operation text not null,
  outcome text not null,
  message text,
  -- Requests that it took.
  calls integer not null,
  exchanges jsonb not null,
  primary key (connection_id, id)
);
create index carrier_traces_parcels on carrier_traces using gin (parcel_ids) with (fastupdate = on);
create index carrier_traces_at on carrier_traces using brin (at);
create index carrier_traces_calls on carrier_traces (connection_id, at) where calls > 0;
