-- What lists are sorted, filtered and searched by: each page is read from an index, however long the table is.
create index orders_updated on orders (store_id, updated_at, id) where deleted_at is null;
create index orders_total on orders (store_id, total, id) where deleted_at is null;
create index orders_phone_alt on orders (store_id, customer_phone_alt, id) where customer_phone_alt is not null;
create index orders_assigned on orders (store_id, assigned_to, id) where assigned_to is not null;
create index orders_promo on orders (store_id, promo_code, id) where promo_code is not null;

create index parcels_updated on parcels (project_id, updated_at, id);
create index parcels_tracking_id on parcels (project_id, tracking_id) where tracking_id is not null;
create index parcels_batch on parcels (project_id, batch_id, id) where batch_id is not null;

create index products_updated on products (store_id, updated_at, id) where deleted_at is null;
create index products_name on products (store_id, name, id) where deleted_at is null;
create index products_price on products (store_id, price, id) where deleted_at is null;

-- Deliveries that went well are most of them: those are found by reading from the newest.
create index webhook_deliveries_lost on webhook_deliveries (endpoint_id, status, id) where status in ('failed', 'cancelled');

-- Parts of names, by their groups of three letters.
create extension if not exists pg_trgm;
create index orders_customer on orders using gin (lower(customer_name) gin_trgm_ops);
create index products_words on products using gin (lower(name || ' ' || coalesce(sku, '')) gin_trgm_ops);
