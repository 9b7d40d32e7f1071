-- Imports of sheets: products as before, and orders by the same mechanism.
alter table product_imports rename to sheet_imports;
alter table sheet_imports
  add column kind text not null default 'products' check (kind in ('products', 'orders')),
  add column dry_run boolean not null default false,
  add column ignored text[] not null default '{}',
  add column actor jsonb;
alter table sheet_imports alter column kind drop default;

alter table product_import_rows rename to sheet_import_rows;
alter table sheet_import_rows rename column sku to name;
alter table sheet_import_rows rename column product_id to result_id;
alter table sheet_import_rows drop constraint product_import_rows_status_check;
alter table sheet_import_rows
  add constraint sheet_import_rows_status_check check (status in ('waiting', 'created', 'updated', 'repeated', 'failed'));

-- By which key an order was imported: its reference, or a hash of its row. The same sheet makes it once.
create table imported_orders (
  store_id text collate "C" not null references stores,
  key text not null,
  content text not null,
  order_id text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (store_id, key)
);
create index on imported_orders (store_id, order_id);
