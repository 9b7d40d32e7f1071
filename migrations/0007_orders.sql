create table orders (
  store_id text not null references stores,
  id text collate "C" not null,
  reference text not null,
  status text not null,
  customer_name text not null,
  customer_phone text not null,
  customer_phone_alt text,
  customer_email text,
  destination jsonb not null,
  note text not null default '',
  promo_code text,
  subtotal numeric(19, 4) not null,
  delivery numeric(19, 4) not null,
  discount numeric(19, 4) not null,
  total numeric(19, 4) not null,
  source text not null,
  assigned_to text,
  metadata jsonb not null default '{}',
  reservation_id text,
  fulfilment_id text,
  parcel_id text,
  -- Parcels made for it, deleted ones too: each has a reference of its own at the carrier.
  sendings integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (store_id, id),
  unique (store_id, reference),
  check (total = subtotal + delivery - discount)
);
create unique index orders_id on orders (id);
create index orders_status on orders (store_id, status, id);
create index orders_phone on orders (store_id, customer_phone, id);

create table order_items (
  store_id text not null,
  order_id text not null,
  line integer not null,
  product_id text not null,
  variant_id text,
  name text not null,
  sku text,
  unit_price numeric(19, 4) not null,
  quantity integer not null check (quantity > 0),
  inventory_key text,
  primary key (store_id, order_id, line),
  foreign key (store_id, order_id) references orders (store_id, id)
);
create index on order_items (store_id, product_id);
