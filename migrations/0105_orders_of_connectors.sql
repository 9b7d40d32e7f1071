-- Origin of an order that a connected shop, form or sheet sent: which connection, and its id there. Only the server writes them.
alter table orders
  add column connector_id text collate "C",
  add column external_id text collate "C";

update orders o set source = 'connector', connector_id = c.connection_id, external_id = c.external_id
  from channel_orders c where c.store_id = o.store_id and c.order_id = o.id;

alter table orders add constraint orders_of_connector check ((source = 'connector') = (connector_id is not null) and (connector_id is null) = (external_id is null));
create index orders_connector on orders (store_id, connector_id, id) where connector_id is not null;
create index orders_external on orders (store_id, external_id, id) where external_id is not null;
