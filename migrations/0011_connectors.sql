-- Connectors: connected shops, their orders, spreadsheets and ads.

create table connectors (
  connection_id text not null,
  -- Address that the shop was asked to call.
  webhook_address text,
  subscribed_at timestamptz,
  subscribe_message text,
  -- State of the present or last pull. It continues at its cursor.
  pull_status text not null default 'idle',
  pull_since timestamptz,
  pull_cursor text,
  pull_seen integer not null default 0,
  pull_changed integer not null default 0,
  pull_total integer,
  pull_message text,
  pull_started_at timestamptz,
  pull_finished_at timestamptz,
  -- Orders that changed before this time have been read.
  pulled_until timestamptz not null default now(),
  next_pull_at timestamptz not null default now(),
  -- Forms of a page that become orders, and what each orders.
  setup jsonb,
  account text,
  account_unsure boolean not null default true,
  replay_since timestamptz,
  replay_asked_at timestamptz,
  subscribe_asked_at timestamptz,
  pull_unreadable integer not null default 0,
  constraint connectors_pkey primary key (connection_id),
  constraint connectors_connection_id_fkey foreign key (connection_id) references integrations(id),
  constraint connectors_pull_status_check check (pull_status in ('idle', 'queued', 'running', 'done', 'failed'))
);
comment on table connectors is 'State of a connected shop: what was pulled, pushed and subscribed.';
create index connectors_account on connectors (account) where account is not null;
create index connectors_next_pull_at_idx on connectors (next_pull_at);

create table connector_links (
  digest text not null,
  store_id text not null,
  key text not null,
  shop text not null,
  name text not null,
  begun_by text not null,
  outcome text,
  expires_at timestamptz not null,
  constraint connector_links_pkey primary key (digest),
  constraint connector_links_store_id_fkey foreign key (store_id) references stores(id),
  constraint connector_links_outcome_check check (outcome in ('connected', 'failed'))
);
comment on table connector_links is 'Connection to a shop that was started there and sends its keys back. Used once, or expires.';
create index connector_links_expires_at_idx on connector_links (expires_at);

create table connector_orders (
  connection_id text not null,
  external_id text collate "C" not null,
  id text collate "C" not null,
  store_id text not null,
  number text not null,
  -- waiting for a person or for goods; taken: it became an order; over: it ended before.
  state text not null,
  -- Why it waits, or why a change by the shop was not applied.
  why text,
  message text,
  -- Goods that are not matched yet.
  missing text[] not null default '{}',
  -- State that the shop reported last.
  told jsonb not null,
  told_at timestamptz not null,
  applied jsonb,
  order_id text,
  -- State that was pushed to the shop last.
  pushed jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  tell_failures integer not null default 0,
  tell_after timestamptz,
  -- JSON of an order that could not be read.
  raw jsonb,
  erased_at timestamptz,
  constraint connector_orders_id_key unique (id),
  constraint connector_orders_pkey primary key (connection_id, external_id),
  constraint connector_orders_connection_id_fkey foreign key (connection_id) references integrations(id),
  constraint connector_orders_store_id_fkey foreign key (store_id) references stores(id),
  constraint connector_orders_check check ((state = 'taken') = (order_id is not null)),
  constraint connector_orders_state_check check (state in ('waiting', 'taken', 'over'))
);
comment on table connector_orders is 'Order that a connected shop reported, and the order that was made of it or why none was.';
create index connector_orders_connection_id_id_idx on connector_orders (connection_id, id);
create unique index connector_orders_store_id_order_id_idx on connector_orders (store_id, order_id) where order_id is not null;
create index connector_orders_waiting on connector_orders (connection_id, id) where state = 'waiting';
create index connector_orders_why on connector_orders (connection_id, why, id) where why is not null;

create table connector_callbacks (
  id text collate "C" not null,
  connection_id text not null,
  url text not null,
  method text not null,
  headers jsonb not null,
  body bytea not null,
  received_at timestamptz not null default now(),
  worked_at timestamptz,
  news integer,
  constraint connector_callbacks_pkey primary key (id),
  constraint connector_callbacks_connection_id_fkey foreign key (connection_id) references integrations(id)
);
comment on table connector_callbacks is 'Webhook of a connected shop as it arrived.';
create index connector_callbacks_of on connector_callbacks (connection_id, received_at);
create index connector_callbacks_received_at_idx on connector_callbacks (received_at);
create index connector_callbacks_unworked on connector_callbacks (id) where worked_at is null;

create table connector_goods (
  connection_id text not null,
  key text collate "C" not null,
  id text collate "C" not null,
  store_id text not null,
  sku text,
  name text not null,
  variant text,
  product_id text,
  variant_id text,
  matched_at timestamptz,
  created_at timestamptz not null default now(),
  constraint connector_goods_id_key unique (id),
  constraint connector_goods_pkey primary key (connection_id, key),
  constraint connector_goods_connection_id_fkey foreign key (connection_id) references integrations(id),
  constraint connector_goods_store_id_fkey foreign key (store_id) references stores(id)
);
comment on table connector_goods is 'Product as a connected shop names it, and the product of the store that it stands for.';
create index connector_goods_connection_id_id_idx on connector_goods (connection_id, id);

create table connector_stock (
  connection_id text collate "C" not null,
  sku text collate "C" not null,
  store_id text not null,
  available integer not null,
  told_at timestamptz not null default now(),
  constraint connector_stock_pkey primary key (connection_id, sku),
  constraint connector_stock_connection_id_fkey foreign key (connection_id) references integrations(id),
  constraint connector_stock_store_id_fkey foreign key (store_id) references stores(id)
);
comment on table connector_stock is 'Stock of a SKU that a connected shop was told last. Only differences are pushed.';
create index connector_stock_store_id_idx on connector_stock (store_id);

create table connector_marks (
  connection_id text collate "C" not null,
  connector_order_id text collate "C" not null,
  id bigint not null generated always as identity,
  at timestamptz not null default now(),
  constraint connector_marks_pkey primary key (connection_id, connector_order_id, id)
);
comment on table connector_marks is 'Order of a connected shop that may have to be pushed. Marks are only added, so that an order waits for no push.';
create index connector_marks_at_idx on connector_marks (at);

create table row_sources (
  connection_id text collate "C" not null,
  store_id text not null,
  generation text not null,
  spreadsheet_id text,
  tab_id text,
  columns jsonb not null default '[]',
  language text not null default 'ar',
  -- Rows up to this one were there before and are left alone.
  old_rows integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  name_header text,
  state_header text,
  names_from text collate "C",
  constraint row_sources_pkey primary key (connection_id),
  constraint row_sources_connection_id_fkey foreign key (connection_id) references integrations(id),
  constraint row_sources_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint row_sources_check check ((spreadsheet_id is null) = (tab_id is null)),
  constraint row_sources_check1 check ((tab_id is null) = (name_header is null) and (tab_id is null) = (state_header is null))
);
comment on table row_sources is 'Tab of a spreadsheet whose rows become orders.';
create index row_sources_store_id_idx on row_sources (store_id);

create table imported_orders (
  store_id text collate "C" not null,
  key text not null,
  content text not null,
  order_id text collate "C" not null,
  created_at timestamptz not null default now(),
  constraint imported_orders_pkey primary key (store_id, key),
  constraint imported_orders_store_id_fkey foreign key (store_id) references stores(id)
);
comment on table imported_orders is 'Key under which an order was imported: its reference, or a hash of its row. The same sheet imports it once.';
create index imported_orders_store_id_order_id_idx on imported_orders (store_id, order_id);

create table sheet_targets (
  connection_id text collate "C" not null,
  store_id text not null,
  -- Changes when the target becomes another sheet.
  generation text not null,
  spreadsheet_id text not null,
  tab_id text not null,
  key_header text not null,
  columns jsonb not null,
  statuses text[],
  since timestamptz not null,
  fills_at timestamptz,
  rests_until timestamptz,
  failures integer not null default 0,
  problem text,
  problem_since timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint sheet_targets_pkey primary key (connection_id),
  constraint sheet_targets_connection_id_fkey foreign key (connection_id) references integrations(id),
  constraint sheet_targets_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint sheet_targets_check check ((problem is null) = (problem_since is null))
);
comment on table sheet_targets is 'Tab of a spreadsheet that orders are written to.';
create index sheet_targets_fills_at_idx on sheet_targets (fills_at) where fills_at is not null;
create index sheet_targets_store_id_idx on sheet_targets (store_id);

create table sheet_rows (
  connection_id text collate "C" not null,
  order_id text collate "C" not null,
  store_id text not null,
  stands text not null default 'no',
  wanted bigint not null default 1,
  written bigint not null default 0,
  order_version integer,
  said jsonb not null default '{}',
  refusals integer not null default 0,
  retry_after timestamptz,
  constraint sheet_rows_pkey primary key (connection_id, order_id),
  constraint sheet_rows_stands_check check (stands in ('no', 'maybe', 'yes', 'gone'))
);
comment on table sheet_rows is 'Row of an order in a spreadsheet: which version is wanted, and which was written.';
create index sheet_rows_store_id_order_id_idx on sheet_rows (store_id, order_id);
create index sheet_rows_waiting on sheet_rows (connection_id, order_id) where (wanted > written) and (stands <> 'gone');

create table sheet_leases (
  file text not null,
  by text not null,
  until timestamptz not null,
  constraint sheet_leases_pkey primary key (file)
);
comment on table sheet_leases is 'File that is being written now, so that no second process writes it.';

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
  next_day text,
  constraint ads_accounts_pkey primary key (connection_id, id)
);
comment on table ads_accounts is 'Ad account of a connection, and what was read of it.';
create index ads_accounts_due_at_idx on ads_accounts (due_at);

create table ads_spend (
  connection_id text collate "C" not null,
  account_id text collate "C" not null,
  day date not null,
  ad_id text collate "C" not null,
  ad_set_id text collate "C" not null,
  campaign_id text collate "C" not null,
  campaign_name text,
  currency text not null,
  spend numeric(21,6) not null,
  impressions bigint not null,
  clicks bigint not null,
  purchases bigint not null,
  leads bigint not null,
  constraint ads_spend_pkey primary key (connection_id, account_id, day, ad_id)
);
comment on table ads_spend is 'Spend of an ad on a day in the time zone of its account.';
create index ads_spend_day on ads_spend (day);

create table ads_links (
  id text collate "C" not null,
  store_id text collate "C" not null,
  connection_id text collate "C" not null,
  level text not null,
  external_id text collate "C" not null,
  campaign_id text collate "C" not null,
  name text not null,
  url text,
  product_id text collate "C",
  landing_page_id text collate "C",
  linked_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint ads_links_connection_id_level_external_id_key unique (connection_id, level, external_id),
  constraint ads_links_pkey primary key (id),
  constraint ads_links_level_check check (level in ('campaign', 'ad')),
  constraint ads_links_linked_by_check check (linked_by in ('url', 'person'))
);
comment on table ads_links is 'Campaign, ad set or ad, and the product or landing page it is for.';
create index ads_links_connection_id_id_idx on ads_links (connection_id, id);

create table ads_rules (
  id text collate "C" not null,
  store_id text collate "C" not null,
  connection_id text collate "C" not null,
  status text not null,
  event text not null,
  pixel_id text collate "C" not null,
  with_value boolean not null,
  created_at timestamptz not null default now(),
  constraint ads_rules_connection_id_status_event_pixel_id_key unique (connection_id, status, event, pixel_id),
  constraint ads_rules_pkey primary key (id)
);
comment on table ads_rules is 'Rule that sends a pixel event when an order reaches a status.';
create index ads_rules_store_id_status_idx on ads_rules (store_id, status);

create table ads_events (
  connection_id text collate "C" not null,
  order_id text collate "C" not null,
  event text not null,
  pixel_id text collate "C" not null,
  store_id text collate "C" not null,
  with_value boolean not null,
  at timestamptz not null default now(),
  state text not null default 'waiting',
  message text,
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  settled_at timestamptz,
  constraint ads_events_pkey primary key (connection_id, order_id, event, pixel_id),
  constraint ads_events_state_check check (state in ('waiting', 'sent', 'refused', 'late'))
);
comment on table ads_events is 'Pixel event of an order. An order is each event of a pixel once.';
create index ads_events_connection_id_due_at_idx on ads_events (connection_id, due_at) where state = 'waiting';
create index ads_events_due_at_idx on ads_events (due_at) where state = 'waiting';
create index ads_events_settled_at_idx on ads_events (settled_at) where state <> 'waiting';

create function ads_follow()
 returns trigger
 language plpgsql
as $function$
begin
  insert into ads_events (connection_id, order_id, event, pixel_id, store_id, with_value)
  select r.connection_id, new.id, r.event, r.pixel_id, new.store_id, r.with_value
  from ads_rules r where r.store_id = new.store_id and r.status = new.status
  on conflict do nothing;
  return null;
end $function$;

create trigger ads_moved after update on orders for each row when (((new.status is distinct from old.status) and (new.exchange_of is null))) execute function ads_follow();

create trigger ads_new after insert on orders for each row when ((new.exchange_of is null)) execute function ads_follow();

create function connectors_mark_moved()
 returns trigger
 language plpgsql
as $function$
begin
  insert into connector_marks (connection_id, connector_order_id)
  select connection_id, id from connector_orders where store_id = new.store_id and order_id = new.id;
  return null;
end $function$;

create trigger connectors_moved after update on orders for each row when (((old.status is distinct from new.status) or (old.parcel_id is distinct from new.parcel_id))) execute function connectors_mark_moved();

create function connectors_mark_numbered()
 returns trigger
 language plpgsql
as $function$
begin
  insert into connector_marks (connection_id, connector_order_id)
  select c.connection_id, c.id from orders o join connector_orders c on c.store_id = o.store_id and c.order_id = o.id where o.id = new.order_id;
  return null;
end $function$;

create trigger connectors_numbered after update on parcels for each row when (((new.order_id is not null) and (old.tracking_id is distinct from new.tracking_id))) execute function connectors_mark_numbered();

create function connectors_mark_known()
 returns trigger
 language plpgsql
as $function$
begin
  insert into connector_marks (connection_id, connector_order_id) values (new.connection_id, new.id);
  return null;
end $function$;

create trigger connectors_settled after update on connector_orders for each row when ((((old.state is distinct from new.state) or (old.why is distinct from new.why)) and ((new.pushed is null) or ((new.pushed ->> 'why') is distinct from new.why)))) execute function connectors_mark_known();

create trigger connectors_waits after insert on connector_orders for each row when ((new.why is not null)) execute function connectors_mark_known();

create function sheets_mark()
 returns trigger
 language plpgsql
as $function$
begin
  insert into sheet_rows (connection_id, order_id, store_id)
  select t.connection_id, new.id, new.store_id from sheet_targets t
  where t.store_id = new.store_id and (
    exists (select 1 from sheet_rows r where r.connection_id = t.connection_id and r.order_id = new.id)
    or (new.created_at >= t.since and new.deleted_at is null and (t.statuses is null or new.status = any (t.statuses))))
  on conflict (connection_id, order_id) do update set wanted = sheet_rows.wanted + 1;
  return null;
end $function$;

create trigger sheets_change after update on orders for each row when (((((((((old.status is distinct from new.status) or (old.version is distinct from new.version)) or (old.total is distinct from new.total)) or (old.paid is distinct from new.paid)) or (old.note is distinct from new.note)) or (old.promo_code is distinct from new.promo_code)) or (old.parcel_id is distinct from new.parcel_id)) or (old.deleted_at is distinct from new.deleted_at))) execute function sheets_mark();

create trigger sheets_new after insert on orders for each row execute function sheets_mark();
