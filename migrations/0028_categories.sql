create table categories (
  store_id text not null references stores,
  id text collate "C" not null primary key,
  parent_id text collate "C",
  name text not null,
  slug text not null,
  position integer not null default 0,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (store_id, slug),
  unique (store_id, id),
  constraint categories_parent foreign key (store_id, parent_id) references categories (store_id, id)
);
create index categories_children on categories (store_id, parent_id, id);
create index categories_name on categories (store_id, name, id);
create index categories_position on categories (store_id, position, id);
create index categories_words on categories using gin (lower(name) gin_trgm_ops);
