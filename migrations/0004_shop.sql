-- Shop: stores, members, products, stock and content.

create table stores (
  id text collate "C" not null,
  owner_id text not null,
  project_id text not null,
  name text not null,
  slug text not null,
  country_code text not null,
  currency_code text not null,
  phone text,
  email text,
  address text,
  settings jsonb not null default '{}',
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint stores_pkey primary key (id),
  constraint stores_project_id_key unique (project_id),
  constraint stores_slug_key unique (slug),
  constraint stores_owner_id_fkey foreign key (owner_id) references users(id),
  constraint stores_project_id_fkey foreign key (project_id) references projects(id)
);
comment on table stores is 'Store of an owner, with its country, currency and settings. Backed by one project.';
alter table files add constraint files_store_id_fkey foreign key (store_id) references stores(id);
alter table webhook_endpoints add constraint webhook_endpoints_store_id_fkey foreign key (store_id) references stores(id) on delete cascade;

create table store_members (
  store_id text not null,
  user_id text not null,
  role text not null,
  created_at timestamptz not null default now(),
  -- Permissions within the role; null for all of the role.
  permissions text[],
  constraint store_members_pkey primary key (store_id, user_id),
  constraint store_members_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint store_members_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint store_members_owner_whole check (role <> 'owner' or permissions is null),
  constraint store_members_role_check check (role in ('owner', 'admin', 'agent', 'viewer'))
);
comment on table store_members is 'Role and permissions of a user in a store.';
create unique index store_members_owner on store_members (store_id) where role = 'owner';
create index store_members_store_id_created_at_user_id_idx on store_members (store_id, created_at, user_id);
create index store_members_user_id_store_id_idx on store_members (user_id, store_id);

create table store_invitations (
  store_id text not null,
  id text collate "C" not null,
  email text not null,
  role text not null,
  token_hash text not null,
  status text not null default 'open',
  invited_by text,
  accepted_by text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  settled_at timestamptz,
  permissions text[],
  constraint store_invitations_pkey primary key (id),
  constraint store_invitations_accepted_by_fkey foreign key (accepted_by) references users(id) on delete set null,
  constraint store_invitations_invited_by_fkey foreign key (invited_by) references users(id) on delete set null,
  constraint store_invitations_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint store_invitations_check check ((status = 'open') = (settled_at is null)),
  constraint store_invitations_role_check check (role in ('admin', 'agent', 'viewer')),
  constraint store_invitations_status_check check (status in ('open', 'accepted', 'declined', 'withdrawn', 'expired'))
);
comment on table store_invitations is 'Invitation to become a member of a store.';
create index store_invitations_accepted_by on store_invitations (accepted_by) where accepted_by is not null;
create index store_invitations_invited_by on store_invitations (invited_by);
create index store_invitations_lower_id_idx on store_invitations (lower(email), id) where status = 'open';
create unique index store_invitations_open on store_invitations (store_id, lower(email)) where status = 'open';
create index store_invitations_store_id_id_idx on store_invitations (store_id, id);
create index store_invitations_store_id_status_id_idx on store_invitations (store_id, status, id);

create table store_blocks (
  store_id text not null,
  id text collate "C" not null,
  kind text not null,
  value jsonb not null,
  matched text not null,
  network cidr,
  reason text not null default '',
  blocked_by text,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  constraint store_blocks_matched unique (store_id, kind, matched),
  constraint store_blocks_pkey primary key (id),
  constraint store_blocks_blocked_by_fkey foreign key (blocked_by) references users(id) on delete set null,
  constraint store_blocks_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint store_blocks_check check ((kind = 'ip') = (network is not null)),
  constraint store_blocks_kind_check check (kind in ('phone', 'address', 'ip'))
);
comment on table store_blocks is 'Phone number, address or network from which a store accepts no orders without an account.';
create index store_blocks_expires_at_idx on store_blocks (expires_at) where expires_at is not null;
create index store_blocks_store_id_id_idx on store_blocks (store_id, id);
create index store_blocks_store_id_kind_id_idx on store_blocks (store_id, kind, id);

create table store_domains (
  store_id text not null,
  id text collate "C" not null,
  host text not null,
  proof text not null,
  state text not null default 'pending',
  problem text,
  looks integer not null default 0,
  state_since timestamptz not null default now(),
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  constraint store_domains_one unique (store_id),
  constraint store_domains_pkey primary key (id),
  constraint store_domains_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint store_domains_state_check check (state in ('pending', 'verified', 'live', 'failing', 'failed'))
);
comment on table store_domains is 'Host name that a store wants to be reached at, and whether it has proven to own it. A proven host belongs to one store.';
create unique index store_domains_held on store_domains (host) where state in ('verified', 'live', 'failing');

create table store_template_previews (
  store_id text not null,
  template_id text not null,
  data jsonb not null default '{}',
  token_hash text not null,
  started_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint store_template_previews_pkey primary key (store_id),
  constraint store_template_previews_started_by_fkey foreign key (started_by) references users(id) on delete set null,
  constraint store_template_previews_store_id_fkey foreign key (store_id) references stores(id) on delete cascade
);
comment on table store_template_previews is 'Template with changed data that members of a store look at before they use it.';
create index store_template_previews_template_id_idx on store_template_previews (template_id);

create table categories (
  store_id text not null,
  id text collate "C" not null,
  parent_id text collate "C",
  name text not null,
  slug text not null,
  position integer not null default 0,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint categories_pkey primary key (id),
  constraint categories_store_id_id_key unique (store_id, id),
  constraint categories_store_id_slug_key unique (store_id, slug),
  constraint categories_parent foreign key (store_id, parent_id) references categories(store_id, id),
  constraint categories_store_id_fkey foreign key (store_id) references stores(id)
);
comment on table categories is 'Category of products. A tree: parent_id is null at the top.';
create index categories_children on categories (store_id, parent_id, id);
create index categories_name on categories (store_id, name, id);
create index categories_position on categories (store_id, "position", id);
create index categories_words on categories using gin (folded(name) gin_trgm_ops);

create table products (
  store_id text not null,
  id text collate "C" not null,
  name text not null,
  description text not null default '',
  sku text,
  status text not null default 'active',
  price numeric(19,4) not null,
  compare_at_price numeric(19,4),
  weight_kg numeric(12,4) not null default 0,
  stock_keeping boolean not null,
  inventory_key text not null,
  variants jsonb not null default '[]',
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  slug text not null,
  cost numeric(19,4),
  show_stock boolean not null default false,
  category_id text collate "C",
  tags text[] not null default '{}',
  vendor text,
  seo jsonb not null default '{}',
  options jsonb not null default '[]',
  media jsonb not null default '[]',
  tiers jsonb not null default '[]',
  bundles jsonb not null default '[]',
  shipping jsonb,
  -- Ledger keys of what can be sold: those of the variants, else its own.
  stock_keys text[] not null default '{}',
  -- Folded search text.
  words text not null default '',
  dice double precision not null default random(),
  -- Size of the product as JSON. Pages of a list end before they grow too large.
  bytes integer not null generated always as ((((((((((octet_length(description) + octet_length((seo)::text)) + octet_length((options)::text)) + octet_length((media)::text)) + octet_length((variants)::text)) + octet_length((tiers)::text)) + octet_length((bundles)::text)) + coalesce(octet_length((shipping)::text), 0)) + octet_length((metadata)::text)) + 500)) stored,
  constraint products_pkey primary key (store_id, id),
  constraint products_category foreign key (store_id, category_id) references categories(store_id, id) on delete set null (category_id),
  constraint products_store_id_fkey foreign key (store_id) references stores(id),
  constraint products_cost_check check (cost >= 0),
  constraint products_price_check check (price >= 0),
  constraint products_status_check check (status in ('draft', 'active', 'archived'))
);
comment on table products is 'A product of a store with its variants, offers and media.';
create index products_category on products (store_id, category_id, id) where category_id is not null;
create index products_dice on products (store_id, dice) where (deleted_at is null) and (status = 'active');
create index products_id on products (id);
create index products_name on products (store_id, name, id) where deleted_at is null;
create index products_price on products (store_id, price, id) where deleted_at is null;
create unique index products_sku on products (store_id, sku) where deleted_at is null;
create unique index products_slug on products (store_id, slug) where deleted_at is null;
create index products_status on products (store_id, status, id) where deleted_at is null;
create index products_tags on products using gin (store_id, tags) where deleted_at is null;
create index products_updated on products (store_id, updated_at, id) where deleted_at is null;
create index products_vendor on products (store_id, vendor, id) where (deleted_at is null) and (vendor is not null);
create index products_words on products using gin (store_id, words gin_trgm_ops) where deleted_at is null;

create table product_skus (
  store_id text collate "C" not null,
  sku text not null,
  product_id text collate "C" not null,
  variant_id text collate "C",
  constraint product_skus_pkey primary key (store_id, sku),
  constraint product_skus_store_id_fkey foreign key (store_id) references stores(id)
);
comment on table product_skus is 'SKU of a product or a variant. Unique in its store.';
create index product_skus_store_id_product_id_idx on product_skus (store_id, product_id);

create table product_keys (
  store_id text collate "C" not null,
  key text collate "C" not null,
  constraint product_keys_pkey primary key (store_id, key),
  constraint product_keys_store_id_fkey foreign key (store_id) references stores(id)
);
comment on table product_keys is 'Ledger key that counts, or counted, goods of a store. Stock may remain under the key of a deleted product.';

create table promos (
  store_id text not null,
  id text collate "C" not null,
  code text not null,
  kind text not null,
  value numeric(19,4) not null,
  minimum_subtotal numeric(19,4) not null default 0,
  starts_at timestamptz,
  ends_at timestamptz,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  maximum_discount numeric(19,4),
  product_ids jsonb not null default '[]',
  category_ids jsonb not null default '[]',
  state_codes jsonb not null default '[]',
  delivery_types jsonb not null default '[]',
  first_order_only boolean not null default false,
  usage_limit integer,
  per_customer_limit integer,
  uses integer not null default 0,
  constraint promos_pkey primary key (id),
  constraint promos_store_id_fkey foreign key (store_id) references stores(id),
  constraint promos_kind check (kind in ('percent', 'fixed', 'free_shipping')),
  constraint promos_uses_check check (uses >= 0),
  constraint promos_value_check check (value >= 0)
);
comment on table promos is 'Promotion code with its discount and conditions.';
create unique index promos_code on promos (store_id, lower(code));
create index promos_sorted on promos (store_id, code, id);
create index promos_store_id_id_idx on promos (store_id, id);

create table promo_redemptions (
  store_id text collate "C" not null,
  promo_id text collate "C" not null,
  order_id text collate "C" not null,
  phone text not null,
  created_at timestamptz not null default now(),
  constraint promo_redemptions_pkey primary key (store_id, order_id),
  constraint promo_redemptions_promo_id_fkey foreign key (promo_id) references promos(id) on delete cascade
);
comment on table promo_redemptions is 'Order that uses a promotion now. The number of rows is the uses of the promotion.';
create index promo_redemptions_promo_id_phone_idx on promo_redemptions (promo_id, phone);

create table sheet_imports (
  store_id text collate "C" not null,
  id text collate "C" not null,
  status text not null,
  total integer not null,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  kind text not null,
  dry_run boolean not null default false,
  ignored text[] not null default '{}',
  actor jsonb,
  constraint product_imports_pkey primary key (store_id, id),
  constraint product_imports_store_id_fkey foreign key (store_id) references stores(id),
  constraint product_imports_status_check check (status in ('processing', 'completed')),
  constraint sheet_imports_kind_check check (kind in ('products', 'orders'))
);
comment on table sheet_imports is 'Import of a CSV or XLSX file of products or orders.';
create index product_imports_id_idx on sheet_imports (id);

create table sheet_import_rows (
  store_id text collate "C" not null,
  import_id text collate "C" not null,
  row integer not null,
  input jsonb,
  status text not null,
  name text,
  result_id text collate "C",
  error jsonb,
  warnings jsonb,
  constraint product_import_rows_pkey primary key (store_id, import_id, "row"),
  constraint product_import_rows_store_id_import_id_fkey foreign key (store_id, import_id) references sheet_imports(store_id, id) on delete cascade,
  constraint sheet_import_rows_status_check check (status in ('waiting', 'created', 'updated', 'repeated', 'failed'))
);
comment on table sheet_import_rows is 'Row of an imported file with its outcome.';
create index product_import_rows_store_id_import_id_status_row_idx on sheet_import_rows (store_id, import_id, status, "row");

create table inventory_operations (
  project_id text collate "C" not null,
  id text collate "C" not null,
  type text not null,
  note text,
  reference text collate "C",
  reservation_id text collate "C",
  reverses_id text collate "C",
  created_at timestamptz not null,
  constraint inventory_operations_pkey primary key (project_id, id),
  constraint inventory_operations_check check (type <> 'adjust' or note is not null),
  constraint inventory_operations_type_check check (type in ('receive', 'supplier_return', 'transfer', 'convert', 'fulfill', 'pos_sale', 'customer_return', 'adjust'))
) partition by range (id);
comment on table inventory_operations is 'Operation on stock: receive, adjust, transfer, convert, fulfil or reverse. Never changes. No foreign key to projects, to save a row lock. Partitioned by quarter.';
create table inventory_operations_rest partition of inventory_operations for values from (minvalue) to (maxvalue);
create index inventory_operations_project_id_created_at_id_idx on inventory_operations (project_id, created_at, id);
create index inventory_operations_project_id_reference_created_at_id_idx on inventory_operations (project_id, reference, created_at, id) where reference is not null;
create index inventory_operations_project_id_type_created_at_id_idx on inventory_operations (project_id, type, created_at, id);

create table inventory_reversals (
  project_id text collate "C" not null,
  reverses_id text collate "C" not null,
  operation_id text collate "C" not null,
  constraint inventory_reversals_pkey primary key (project_id, reverses_id)
);
comment on table inventory_reversals is 'Which operation reverses which. An operation is reversed once.';

create sequence inventory_movements_positions;

create table inventory_movements (
  project_id text collate "C" not null,
  operation_id text collate "C" not null,
  line integer not null,
  position bigint not null default nextval('inventory_movements_positions'::regclass),
  namespace text collate "C" not null,
  key text collate "C" not null,
  batch text collate "C" not null,
  quantity numeric(19,4) not null,
  unit_cost numeric(19,4),
  balance_after numeric(19,4) not null,
  created_at timestamptz not null,
  constraint inventory_movements_pkey primary key (project_id, operation_id, line, created_at),
  constraint inventory_movements_balance_after_check check (balance_after >= 0),
  constraint inventory_movements_quantity_check check (quantity <> 0)
) partition by range (created_at);
comment on table inventory_movements is 'Line of an operation: how much of a batch it added or removed. position orders the lines of a balance. Never changes. Partitioned by quarter.';
create table inventory_movements_rest partition of inventory_movements for values from (minvalue) to (maxvalue);
create index inventory_movements_project_id_key_created_at_position_idx on inventory_movements (project_id, key, created_at, "position");
create index inventory_movements_project_id_namespace_created_at_positio_idx on inventory_movements (project_id, namespace, created_at, "position");

create table inventory_balances (
  project_id text collate "C" not null,
  namespace text collate "C" not null,
  key text collate "C" not null,
  batch text collate "C" not null,
  on_hand numeric(19,4) not null default 0,
  reserved numeric(19,4) not null default 0,
  unit_cost numeric(19,4),
  created_at timestamptz not null default now(),
  -- True while something is free. It changes seldom, so an index on it is cheap.
  has_free boolean not null generated always as ((on_hand > reserved)) stored,
  constraint inventory_balances_pkey primary key (project_id, namespace, key, batch),
  constraint inventory_balances_project_id_fkey foreign key (project_id) references projects(id),
  constraint inventory_balances_covered check (on_hand >= reserved and reserved >= 0),
  constraint inventory_balances_unit_cost_check check (unit_cost >= 0)
) with (fillfactor=70);
comment on table inventory_balances is 'Stock of a batch under a key and a namespace, and its reserved part. Its counters change only with the movement or reservation line that they count. Never deleted.';
create index inventory_balances_oldest on inventory_balances (project_id, namespace, key, created_at, batch) where has_free;
create index inventory_balances_project_id_batch_namespace_key_idx on inventory_balances (project_id, batch, namespace, key);
create index inventory_balances_project_id_key_namespace_batch_idx on inventory_balances (project_id, key, namespace, batch);
alter table inventory_movements add constraint inventory_movements_project_id_namespace_key_batch_fkey1 foreign key (project_id, namespace, key, batch) references inventory_balances(project_id, namespace, key, batch);

create table inventory_reservations (
  project_id text collate "C" not null,
  id text collate "C" not null,
  status text not null default 'active',
  reference text,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  of_order boolean not null default false,
  constraint inventory_reservations_pkey primary key (project_id, id),
  constraint inventory_reservations_project_id_fkey foreign key (project_id) references projects(id),
  constraint inventory_reservations_status_check check (status in ('active', 'fulfilled', 'released', 'expired'))
);
comment on table inventory_reservations is 'Stock that is held for an order or another holder until it is fulfilled, released or expires.';
create index inventory_reservations_expires_at_idx on inventory_reservations (expires_at) where (status = 'active') and (expires_at is not null);
alter table inventory_operations add constraint inventory_operations_project_id_reservation_id_fkey1 foreign key (project_id, reservation_id) references inventory_reservations(project_id, id);

create table inventory_reservation_lines (
  project_id text collate "C" not null,
  reservation_id text collate "C" not null,
  line integer not null,
  namespace text collate "C" not null,
  key text collate "C" not null,
  batch text collate "C" not null,
  quantity numeric(19,4) not null,
  fulfilled numeric(19,4) not null default 0,
  constraint inventory_reservation_lines_pkey primary key (project_id, reservation_id, line),
  constraint inventory_reservation_lines_project_id_namespace_key_batch_fkey foreign key (project_id, namespace, key, batch) references inventory_balances(project_id, namespace, key, batch),
  constraint inventory_reservation_lines_project_id_reservation_id_fkey foreign key (project_id, reservation_id) references inventory_reservations(project_id, id),
  constraint inventory_reservation_lines_check check (fulfilled >= 0 and fulfilled <= quantity),
  constraint inventory_reservation_lines_quantity_check check (quantity > 0)
);
comment on table inventory_reservation_lines is 'Quantity of one batch that a reservation holds.';

create table pages (
  store_id text not null,
  id text collate "C" not null,
  title text not null,
  slug text not null,
  format text not null,
  content text not null default '',
  metadata jsonb not null default '{}',
  published boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pages_pkey primary key (id),
  constraint pages_store_id_slug_key unique (store_id, slug),
  constraint pages_store_id_fkey foreign key (store_id) references stores(id),
  constraint pages_format_check check (format in ('html', 'markdown'))
);
comment on table pages is 'Page of a storefront.';
create index pages_store_id_id_idx on pages (store_id, id);
create index pages_store_id_published_id_idx on pages (store_id, published, id);
create index pages_store_id_title_id_idx on pages (store_id, title, id);
create index pages_store_id_updated_at_id_idx on pages (store_id, updated_at, id);
create index pages_words on pages using gin (folded(title) gin_trgm_ops);

create table feedbacks (
  store_id text not null,
  id text collate "C" not null,
  name text not null,
  phone text,
  email text,
  text text not null,
  rating integer not null,
  product_id text,
  order_id text,
  status text not null default 'pending',
  comments jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint feedbacks_pkey primary key (id),
  constraint feedbacks_product foreign key (store_id, product_id) references products(store_id, id),
  constraint feedbacks_store_id_fkey foreign key (store_id) references stores(id),
  constraint feedbacks_rating_check check (rating >= 1 and rating <= 5),
  constraint feedbacks_status_check check (status in ('pending', 'published', 'hidden'))
);
comment on table feedbacks is 'Feedback of a customer about a product or an order.';
create index feedbacks_store_id_id_idx on feedbacks (store_id, id);
create index feedbacks_store_id_order_id_idx on feedbacks (store_id, order_id);
create index feedbacks_store_id_product_id_id_idx on feedbacks (store_id, product_id, id);
create index feedbacks_store_id_rating_id_idx on feedbacks (store_id, rating, id);
create index feedbacks_store_id_status_id_idx on feedbacks (store_id, status, id);
create index feedbacks_store_id_updated_at_id_idx on feedbacks (store_id, updated_at, id);
create index feedbacks_words on feedbacks using gin (folded(text) gin_trgm_ops);

create table image_generations (
  store_id text not null,
  id text collate "C" not null,
  name text not null default '',
  prompt text not null,
  negative_prompt text not null default '',
  aspect_ratio text not null default '1:1',
  product_id text,
  published boolean not null default false,
  status text not null default 'draft',
  -- Generated pictures, or why one failed.
  images jsonb not null default '[]',
  failure text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint image_generations_pkey primary key (id),
  constraint image_generations_product foreign key (store_id, product_id) references products(store_id, id),
  constraint image_generations_store_id_fkey foreign key (store_id) references stores(id),
  constraint image_generations_status_check check (status in ('draft', 'queued', 'running', 'done', 'failed'))
);
comment on table image_generations is 'Request for generated pictures of a product.';
create index image_generations_shown on image_generations (id) where published and (status = 'done');
create index image_generations_store_id_id_idx on image_generations (store_id, id);
create index image_generations_store_id_name_id_idx on image_generations (store_id, name, id);
create index image_generations_store_id_product_id_id_idx on image_generations (store_id, product_id, id);
create index image_generations_store_id_published_id_idx on image_generations (store_id, published, id);
create index image_generations_store_id_updated_at_id_idx on image_generations (store_id, updated_at, id);
create index image_generations_words on image_generations using gin (folded(prompt) gin_trgm_ops);

create table image_prompt_templates (
  store_id text,
  id text collate "C" not null,
  name text not null,
  description text not null default '',
  category text not null default '',
  preview_url text,
  prompt text not null,
  negative_prompt text not null default '',
  aspect_ratio text not null default '1:1',
  data jsonb not null default '{}',
  published boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint image_prompt_templates_pkey primary key (id),
  constraint image_prompt_templates_store_id_fkey foreign key (store_id) references stores(id)
);
comment on table image_prompt_templates is 'Template of a prompt for pictures.';
create index image_prompt_templates_store_id_category_id_idx on image_prompt_templates (store_id, category, id);
create index image_prompt_templates_store_id_id_idx on image_prompt_templates (store_id, id);
create index image_prompt_templates_store_id_name_id_idx on image_prompt_templates (store_id, name, id);
create index image_prompt_templates_store_id_updated_at_id_idx on image_prompt_templates (store_id, updated_at, id);
create index image_prompt_templates_words on image_prompt_templates using gin (folded(name) gin_trgm_ops);

create table product_landing_page_templates (
  store_id text,
  id text collate "C" not null,
  name text not null,
  description text not null default '',
  category text not null default '',
  preview_url text,
  data jsonb not null default '{}',
  published boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint product_landing_page_templates_pkey primary key (id),
  constraint product_landing_page_templates_store_id_fkey foreign key (store_id) references stores(id)
);
comment on table product_landing_page_templates is 'Template of a landing page for a product.';
create index product_landing_page_templates_store_id_category_id_idx on product_landing_page_templates (store_id, category, id);
create index product_landing_page_templates_store_id_id_idx on product_landing_page_templates (store_id, id);
create index product_landing_page_templates_store_id_name_id_idx on product_landing_page_templates (store_id, name, id);
create index product_landing_page_templates_store_id_updated_at_id_idx on product_landing_page_templates (store_id, updated_at, id);
create index product_landing_page_templates_words on product_landing_page_templates using gin (folded(name) gin_trgm_ops);

create view shown_stores as
  select s.id, s.slug from stores s join projects p on p.id = s.project_id join tenants t on t.id = p.tenant_id
  where s.deleted_at is null and t.deletes_at is null;
comment on view shown_stores is 'Stores that are shown: neither they nor their tenants are being deleted.';

create function inventory_refuse_change()
 returns trigger
 language plpgsql
as $function$
begin
  if tg_op = 'DELETE' and current_setting('serai.removes_tenant', true) = 'yes' then return null; end if;
  if tg_op = 'UPDATE' and tg_table_name like 'inventory\_operations%' and current_setting('serai.erases_person', true) = 'yes' then return null; end if;
  raise exception '% is a ledger: its rows are never changed or deleted. Post a reversal instead.', tg_table_name using errcode = 'restrict_violation';
end
$function$;

create trigger final before delete or update or truncate on inventory_reversals for each statement execute function inventory_refuse_change();

create trigger final before delete or update or truncate on inventory_operations for each statement execute function inventory_refuse_change();

create trigger final before delete or update or truncate on inventory_movements for each statement execute function inventory_refuse_change();

create trigger forget_changed after delete or update of project_id, deleted_at on stores for each row execute function forget_remembered('project', 'project_id');

create trigger forget_changed after delete or update of role, permissions on store_members for each row execute function forget_remembered('person', 'user_id');

create function inventory_find_reversed()
 returns trigger
 language plpgsql
as $function$
begin
  if not exists (select from inventory_operations where project_id = new.project_id and id = new.reverses_id) then
    raise foreign_key_violation using message = 'There is no operation ' || new.reverses_id || ' to reverse.';
  end if;
  return new;
end $function$;

create trigger reversed_exists before insert on inventory_reversals for each row execute function inventory_find_reversed();

create function inventory_note_reversal()
 returns trigger
 language plpgsql
as $function$
begin
  insert into inventory_reversals values (new.project_id, new.reverses_id, new.id);
  return null;
end $function$;

create trigger reverses after insert on inventory_operations for each row when ((new.reverses_id is not null)) execute function inventory_note_reversal();

create function projects_steered_by(who text)
 returns table(project_id text)
 language sql
 stable
as $function$
  select p.id from projects p join tenants t on t.id = p.tenant_id where t.owner_id = who
  union select p.id from projects p join tenant_members m on m.tenant_id = p.tenant_id where m.user_id = who and m.role = 'admin'
  union select s.project_id from stores s join store_members m on m.store_id = s.id
    where m.user_id = who and m.role in ('owner', 'admin') and m.permissions is null and s.deleted_at is null
$function$;

create trigger final before delete or update or truncate on inventory_movements_rest for each statement execute function inventory_refuse_change();

create trigger final before delete or update or truncate on inventory_operations_rest for each statement execute function inventory_refuse_change();
