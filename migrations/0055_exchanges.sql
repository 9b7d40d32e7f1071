-- Goods that are awaited back, orders that are sent in their place, and what a courier brings back from the door.
alter table order_returns
  add column status text not null default 'received' check (status in ('awaited', 'received', 'cancelled')),
  add column received_at timestamptz,
  -- What is sent instead.
  add column exchange_order_id text collate "C";
update order_returns set received_at = created_at;
create unique index order_returns_exchange on order_returns (store_id, exchange_order_id) where exchange_order_id is not null;

alter table orders
  -- The order of which it replaces goods.
  add column exchange_of text collate "C",
  -- What the courier who delivers it brings back, in words; null for nothing.
  add column takes_back text;
alter table parcels add column takes_back text;
