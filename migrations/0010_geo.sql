-- Places that parcels go to. Loaded at start from the catalogue that comes with the code; nobody edits them here.
create table countries (
  code text primary key check (code ~ '^[A-Z]{2}$'),
  name text not null,
  native_name text not null,
  currencies text[] not null,
  calling_codes text[] not null,
  languages text[] not null
);

-- A state with a carrier_code other than its own is newer than what carriers know: they look for its cities under that code.
create table states (
  country_code text not null references countries (code),
  code text not null,
  name text not null,
  name_ar text,
  carrier_code text not null,
  primary key (country_code, code),
  foreign key (country_code, carrier_code) references states (country_code, code) deferrable initially deferred
);

create table cities (
  country_code text not null,
  state_code text not null,
  code text not null,
  name text not null,
  name_ar text,
  postal_code text,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  current_state_code text not null,
  primary key (country_code, code),
  foreign key (country_code, state_code) references states (country_code, code),
  foreign key (country_code, current_state_code) references states (country_code, code)
);
create index on cities (country_code, state_code);
create index on cities (country_code, current_state_code);
create index on cities (country_code, postal_code);

-- What was loaded last, so that a start with the same catalogue writes nothing.
create table geo_catalogue (
  country_code text primary key references countries (code),
  fingerprint text not null,
  loaded_at timestamptz not null default now()
);
