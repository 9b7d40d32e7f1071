create table products (
  store_id text not null references stores,
  id text collate "C" not null,
  name text not null,
  description text not null default '',
  sku text,
  status text not null default 'active' check (status in ('draft', 'active', 'archived')),
  price numeric(19, 4) not null check (price >= 0),
  compare_at_price numeric(19, 4),
  weight_kg numeric(12, 4) not null default 0,
  stock_keeping boolean not null,
  inventory_key text not null,
  images jsonb not null default '[]',
  variants jsonb not null default '[]',
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (store_id, id)
);
create unique index products_id on products (id);
create unique index products_sku on products (store_id, sku) where deleted_at is null;

create table promos (
  store_id text not null references stores,
  id text collate "C" not null primary key,
  code text not null,
  kind text not null check (kind in ('percent', 'amount')),
  value numeric(19, 4) not null check (value >= 0),
  minimum_subtotal numeric(19, 4) not null default 0,
  starts_at timestamptz,
  ends_at timestamptz,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (store_id, code)
);
create index on promos (store_id, id);
