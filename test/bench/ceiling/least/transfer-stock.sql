\set source random(1, 300)
\set target random(301, 600)
begin;
select on_hand - reserved as free from least.balances where product in (:source, :target) order by product for update;
with moved as (
  update least.balances set on_hand = on_hand + case product when :source then -1 else 1 end where product in (:source, :target)
), posted as (
  insert into least.movements (product, quantity) values (:source, -1), (:target, 1) returning product, quantity
)
insert into least.events (type, body) select 'inventory.stock.changed', jsonb_build_object('product', product, 'quantity', quantity) from posted;
commit;
