-- Ad accounts whose spend is read.
create table ads_accounts (
  connection_id text collate "C" not null,
  id text collate "C" not null,
  store_id text collate "C" not null,
  name text not null,
  currency text not null,
  time_zone text not null,
  read_at timestamptz,
  due_at timestamptz not null default now(),
  problem text,
  created_at timestamptz not null default now(),
  primary key (connection_id, id)
);
create index on ads_accounts (due_at);

-- What ads cost, by the days of their account's zone.
create table ads_spend (
  connection_id text collate "C" not null,
  account_id text collate "C" not null,
  day date not null,
  ad_id text collate "C" not null,
  ad_set_id text collate "C" not null,
  campaign_id text collate "C" not null,
  campaign_name text,
  currency text not null,
  spend numeric(21, 6) not null,
  impressions bigint not null,
  clicks bigint not null,
  purchases bigint not null,
  leads bigint not null,
  primary key (connection_id, account_id, day, ad_id)
);

-- What campaigns and ads are for.
create table ads_links (
  id text collate "C" primary key,
  store_id text collate "C" not null,
  connection_id text collate "C" not null,
  level text not null check (level in ('campaign', 'ad')),
  external_id text collate "C" not null,
  campaign_id text collate "C" not null,
  name text not null,
  url text,
  product_id text collate "C",
  landing_page_id text collate "C",
  linked_by text not null check (linked_by in ('url', 'person')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (connection_id, level, external_id)
);
create index on ads_links (connection_id, id);

-- Which order is which event of which pixel.
create table ads_rules (
  id text collate "C" primary key,
  store_id text collate "C" not null,
  connection_id text collate "C" not null,
  status text not null,
  event text not null,
  pixel_id text collate "C" not null,
  with_value boolean not null,
  created_at timestamptz not null default now(),
  unique (connection_id, status, event, pixel_id)
);
create index on ads_rules (store_id, status);

-- An order is each event of a pixel once, by whichever rule it came first.
create table ads_events (
  connection_id text collate "C" not null,
  order_id text collate "C" not null,
  event text not null,
  pixel_id text collate "C" not null,
  store_id text collate "C" not null,
  with_value boolean not null,
  at timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'refused', 'late')),
  message text,
  attempts int not null default 0,
  due_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (connection_id, order_id, event, pixel_id)
);
create index on ads_events (connection_id, due_at) where state = 'waiting';
create index on ads_events (due_at) where state = 'waiting';
create index on ads_events (settled_at) where state <> 'waiting';

-- In the transaction of whatever moves an order. One that replaces goods is no other purchase.
create function ads_follow() returns trigger language plpgsql as $$
begin
  insert into ads_events (connection_id, order_id, event, pixel_id, store_id, with_value)
  select r.connection_id, new.id, r.event, r.pixel_id, new.store_id, r.with_value
  from ads_rules r where r.store_id = new.store_id and r.status = new.status
  on conflict do nothing;
  return null;
end $$;
create trigger ads_new after insert on orders for each row when (new.exchange_of is null) execute function ads_follow();
create trigger ads_moved after update on orders for each row
  when (new.status is distinct from old.status and new.exchange_of is null) execute function ads_follow();
