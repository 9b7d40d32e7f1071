-- An order may be divided into parts. Each travels in a parcel of its own and holds its own goods; what is in none is still the order's.
alter table orders add is_divided boolean not null default false;

create table order_parts (
  store_id text collate "C" not null,
  order_id text collate "C" not null,
  id text collate "C" not null,
  -- What is asked for again under the same name is the same part; null: all that was left.
  name text collate "C",
  -- Null where it was given up, and travels nowhere.
  parcel_id text collate "C",
  -- What its parcel was asked to collect, null: what its items come to. Of what was given up, what is not collected any more.
  cod_amount numeric(19, 4) check (cod_amount >= 0),
  reservation_id text,
  fulfilment_id text,
  created_at timestamptz not null default now(),
  primary key (store_id, order_id, id),
  foreign key (store_id, order_id) references orders (store_id, id),
  check (parcel_id is not null or reservation_id is null)
);
create unique index order_parts_name on order_parts (store_id, order_id, name) where name is not null;

create table order_part_lines (
  store_id text collate "C" not null,
  order_id text collate "C" not null,
  part_id text collate "C" not null,
  line integer not null,
  quantity integer not null check (quantity > 0),
  -- How many of it the customer sent back by hand.
  back integer not null default 0 check (back between 0 and quantity),
  primary key (store_id, order_id, part_id, line),
  foreign key (store_id, order_id, part_id) references order_parts (store_id, order_id, id) on delete cascade,
  foreign key (store_id, order_id, line) references order_items (store_id, order_id, line)
);

-- One order, one parcel; where it is divided, one for each part.
alter table parcels add part_id text collate "C";
drop index parcels_live_of_order;
create unique index parcels_live_of_order on parcels (order_id, project_id, coalesce(part_id, '')) where order_id is not null and status <> 'cancelled';
