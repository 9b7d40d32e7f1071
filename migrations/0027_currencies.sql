create table currencies (
  id text collate "C" primary key,
  code text not null unique,
  name text not null,
  symbol text not null,
  decimals integer not null check (decimals between 0 and 4),
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index currencies_code on currencies (code, id);
create index currencies_name on currencies (name, id);
create index currencies_updated on currencies (updated_at, id);
create index currencies_words on currencies using gin (lower(name) gin_trgm_ops);
