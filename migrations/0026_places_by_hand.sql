-- What administrators add and change of the places. `catalogued`: it came with the code, and stays; `edited`: somebody changed it, and the
-- catalogue writes no more over it. `folded`: its names as they are searched for, each after a bar.
alter table countries
  alter currencies type jsonb using to_jsonb(currencies),
  alter calling_codes type jsonb using to_jsonb(calling_codes),
  alter languages type jsonb using to_jsonb(languages),
  add id text collate "C",
  add enabled boolean not null default true,
  add catalogued boolean not null default false,
  add edited boolean not null default false,
  add created_at timestamptz not null default now(),
  add updated_at timestamptz not null default now();
alter table states
  add id text collate "C",
  add enabled boolean not null default true,
  add catalogued boolean not null default false,
  add edited boolean not null default false,
  add created_at timestamptz not null default now(),
  add updated_at timestamptz not null default now(),
  alter carrier_code drop not null;
alter table cities
  add id text collate "C",
  add folded text not null default '',
  add enabled boolean not null default true,
  add catalogued boolean not null default false,
  add edited boolean not null default false,
  add created_at timestamptz not null default now(),
  add updated_at timestamptz not null default now(),
  alter latitude drop not null,
  alter longitude drop not null,
  alter current_state_code drop not null;

-- Those that are there came with the code. Their ids are as old as can be.
update countries set id = 'cou_0000000000' || left(md5(code), 16), catalogued = true;
update states set id = 'sta_0000000000' || left(md5(country_code || code), 16), catalogued = true;
update cities set id = 'cit_0000000000' || left(md5(country_code || code), 16), catalogued = true;
alter table countries alter id set not null, add constraint countries_id_key unique (id);
alter table states alter id set not null, add constraint states_id_key unique (id);
alter table cities alter id set not null, add constraint cities_id_key unique (id);
-- So that the next start writes the folded names.
delete from geo_catalogue;

create extension if not exists pg_trgm;
create index countries_name on countries (name, id);
create index countries_updated on countries (updated_at, id);
create index countries_words on countries using gin (lower(name) gin_trgm_ops);
create index states_id on states (country_code, id);
create index states_name on states (country_code, name, id);
create index states_updated on states (country_code, updated_at, id);
create index states_words on states using gin (lower(name) gin_trgm_ops);
create index cities_id on cities (country_code, state_code, id);
create index cities_name on cities (country_code, state_code, name, id);
create index cities_updated on cities (country_code, state_code, updated_at, id);
create index cities_words on cities using gin (lower(name) gin_trgm_ops);
create index cities_folded on cities using gin (folded gin_trgm_ops);
