-- Products whole: what a storefront shows of them, what they cost, how they are offered and brought.
create extension if not exists btree_gin;

alter table products
  add column slug text,
  add column cost numeric(19, 4) check (cost >= 0),
  add column show_stock boolean not null default false,
  add column category_id text collate "C",
  add column tags text[] not null default '{}',
  add column vendor text,
  add column seo jsonb not null default '{}',
  add column options jsonb not null default '[]',
  add column media jsonb not null default '[]',
  add column tiers jsonb not null default '[]',
  add column bundles jsonb not null default '[]',
  add column shipping jsonb,
  -- Ledger keys of what can be sold: the variants', else its own.
  add column stock_keys text[] not null default '{}',
  -- What it is found by: folded words, with a space before each.
  add column words text not null default '',
  -- Where it stands among those that are drawn at random.
  add column dice double precision not null default random();

update products set
  slug = replace(lower(id), '_', '-'),
  media = (select coalesce(jsonb_agg(jsonb_build_object('url', u.url, 'alt', '', 'kind', 'image')), '[]') from jsonb_array_elements_text(images) as u (url)),
  variants = (select coalesce(jsonb_agg('{"compareAtPrice": null, "cost": null, "weightKg": null, "media": []}'::jsonb || v.variant order by v.place), '[]')
    from jsonb_array_elements(variants) with ordinality as v (variant, place)),
  stock_keys = case when variants = '[]' then array[inventory_key] else array(select v ->> 'inventoryKey' from jsonb_array_elements(variants) as v) end,
  -- By the letters that matter; every write folds anew.
  words = ' ' || left(translate(lower(name || ' ' || coalesce(sku, '')), 'àâäáãéèêëíîïóôöõúùûüçñأإآٱىةـ-_./', 'aaaaaeeeeiiioooouuuucnااااايه     '), 2000);

alter table products
  alter column slug set not null,
  drop column images,
  add constraint products_category foreign key (store_id, category_id) references categories (store_id, id) on delete set null (category_id);

drop index products_words;
create index products_words on products using gin (store_id, words gin_trgm_ops) where deleted_at is null;
create unique index products_slug on products (store_id, slug) where deleted_at is null;
create index products_status on products (store_id, status, id) where deleted_at is null;
create index products_category on products (store_id, category_id, id) where category_id is not null;
create index products_vendor on products (store_id, vendor, id) where deleted_at is null and vendor is not null;
create index products_tags on products using gin (store_id, tags) where deleted_at is null;
create index products_dice on products (store_id, dice) where deleted_at is null and status = 'active';

-- A sku names one thing in its store, a product or a variant of one.
create table product_skus (
  store_id text collate "C" not null references stores,
  sku text not null,
  product_id text collate "C" not null,
  variant_id text collate "C",
  primary key (store_id, sku)
);
create index on product_skus (store_id, product_id);
insert into product_skus (store_id, sku, product_id)
  select store_id, sku, id from products where sku is not null and deleted_at is null on conflict do nothing;
insert into product_skus (store_id, sku, product_id, variant_id)
  select p.store_id, v ->> 'sku', p.id, v ->> 'id' from products p cross join jsonb_array_elements(p.variants) as v
  where v ->> 'sku' is not null and p.deleted_at is null on conflict do nothing;

-- Ledger keys that count, or counted, goods of a store: what was deleted may still lie there.
create table product_keys (
  store_id text collate "C" not null references stores,
  key text collate "C" not null,
  primary key (store_id, key)
);
insert into product_keys (store_id, key)
  select store_id, inventory_key from products
  union select p.store_id, v ->> 'inventoryKey' from products p cross join jsonb_array_elements(p.variants) as v;

-- Promotions with conditions and limits.
alter table promos
  drop constraint promos_kind_check,
  drop constraint promos_store_id_code_key,
  add column maximum_discount numeric(19, 4),
  add column product_ids jsonb not null default '[]',
  add column category_ids jsonb not null default '[]',
  add column state_codes jsonb not null default '[]',
  add column delivery_types jsonb not null default '[]',
  add column first_order_only boolean not null default false,
  add column usage_limit integer,
  add column per_customer_limit integer,
  add column uses integer not null default 0 check (uses >= 0);
update promos set kind = 'fixed' where kind = 'amount';
update promos p set code = left(code, 33) || '-' || right(id, 6)
  where exists (select 1 from promos q where q.store_id = p.store_id and lower(q.code) = lower(p.code) and q.id < p.id);
alter table promos add constraint promos_kind check (kind in ('percent', 'fixed', 'free_shipping'));
create unique index promos_code on promos (store_id, lower(code));
create index promos_sorted on promos (store_id, code, id);

-- One row for each order that uses a promotion now; `uses` counts them.
create table promo_redemptions (
  store_id text collate "C" not null,
  promo_id text collate "C" not null references promos on delete cascade,
  order_id text collate "C" not null,
  phone text not null,
  created_at timestamptz not null default now(),
  primary key (store_id, order_id)
);
create index on promo_redemptions (promo_id, phone);

update orders set offer = jsonb_set(offer, '{kind}', '"fixed"') where offer ->> 'kind' = 'amount';

-- Of which bundle a line is part, and what one piece cost the store when it was ordered.
alter table order_items add column offer_id text collate "C", add column unit_cost numeric(19, 4);
drop index order_items_store_id_product_id_idx;
create index order_items_product on order_items (store_id, product_id, (order_id collate "C"));

-- Sheets of products that were taken in, and what became of each row.
create table product_imports (
  store_id text collate "C" not null references stores,
  id text collate "C" not null,
  status text not null check (status in ('processing', 'completed')),
  total integer not null,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (store_id, id)
);
create index on product_imports (id);
create table product_import_rows (
  store_id text collate "C" not null,
  import_id text collate "C" not null,
  row integer not null,
  input jsonb,
  status text not null check (status in ('waiting', 'created', 'updated', 'failed')),
  sku text,
  product_id text collate "C",
  error jsonb,
  primary key (store_id, import_id, row),
  foreign key (store_id, import_id) references product_imports on delete cascade
);
create index on product_import_rows (store_id, import_id, status, row);
