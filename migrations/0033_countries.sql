-- Countries that were imported: each of their places as the file gave it. What is listed of them stands in states and cities; what they are
-- found by is read from here.
create table geo_imported (
  country_code text not null,
  kind text not null check (kind in ('state', 'city')),
  code text not null,
  place jsonb not null,
  primary key (country_code, kind, code)
);

-- Borders to be shown, as the coordinates of a MultiPolygon. A city's is found by its state.
create table geo_borders (
  country_code text not null,
  kind text not null check (kind in ('state', 'city')),
  code text not null,
  state_code text not null,
  coordinates text not null,
  primary key (country_code, kind, code)
);
create index on geo_borders (country_code, kind, state_code);

alter table geo_catalogue
  add attribution text not null default '',
  add imported boolean not null default false;
-- So that the next start writes the borders that come with the code.
delete from geo_catalogue;

-- Where parcels are collected, as a connected carrier told it last.
create table pickups (
  connection_id text not null references integrations,
  center_id text not null,
  name text not null,
  address text not null,
  phone text,
  country_code text not null,
  -- Of our catalogue; null where the carrier's place is none of ours for certain.
  state_code text,
  state_name text,
  city_code text,
  city_name text not null,
  latitude double precision,
  longitude double precision,
  primary key (connection_id, center_id)
);

-- How fresh they are, and who is asking. `asked_at`: when it was tried last, whatever came of it.
create table pickup_sources (
  connection_id text primary key references integrations,
  refreshed_at timestamptz,
  asked_at timestamptz,
  failure text,
  asking_by text,
  asking_until timestamptz
);
