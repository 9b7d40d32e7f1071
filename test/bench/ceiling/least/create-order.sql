\set product random(1, 300)
begin;
select on_hand - reserved as free from least.balances where product = :product for update;
with taken as (
  update least.balances set reserved = reserved + 1 where product = :product
), placed as (
  insert into least.orders (store, status, note, body) values (1, 'pending', '', jsonb_build_object('name', 'Amina Saadi', 'phone', '+213550123456', 'state', '16', 'city', 'Bab Ezzouar', 'total', 1000)) returning id
), line as (
  insert into least.order_lines select id, 1, :product, 1, 1000 from placed
), held as (
  insert into least.reservations select id, :product, 1 from placed
)
insert into least.events (type, body) select 'order.created', jsonb_build_object('order', id, 'name', 'Amina Saadi', 'phone', '+213550123456', 'total', 1000) from placed;
commit;
