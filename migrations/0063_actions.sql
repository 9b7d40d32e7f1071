-- Catalogues that advertising platforms fetch: one a store and platform. A new one takes the place of the one before, and its link with it.
create table catalog_feeds (
  store_id text not null references stores on delete cascade,
  platform text not null check (platform in ('meta', 'google', 'tiktok')),
  -- SHA-256 of what the link holds, which is shown once.
  digest text not null unique,
  -- Where a product stands in the shop: an address with {slug} or {id} in it.
  product_url text not null,
  -- Whether each variant is a row, or each product.
  by text not null check (by in ('product', 'variant')),
  -- What is said of a product that names no vendor.
  brand text not null,
  created_at timestamptz not null default now(),
  primary key (store_id, platform)
);

-- Hosts that the owner of a store lets its pages ask through this server.
create table proxy_hosts (
  store_id text primary key references stores on delete cascade,
  hosts text[] not null check (cardinality(hosts) <= 50),
  updated_at timestamptz not null default now()
);
