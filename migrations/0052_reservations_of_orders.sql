-- What an order reserved is taken and given back by what becomes of the order alone.
alter table inventory_reservations add column of_order boolean not null default false;
update inventory_reservations r set of_order = true from orders o join stores s on s.id = o.store_id
where r.project_id = s.project_id and r.id = o.reservation_id;
