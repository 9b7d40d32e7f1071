\set order random(1, 1000)
begin;
select status from least.orders where id = :order for update;
with changed as (update least.orders set note = 'call at noon' where id = :order returning id)
insert into least.events (type, body) select 'order.updated', jsonb_build_object('order', id, 'note', 'call at noon') from changed;
commit;
