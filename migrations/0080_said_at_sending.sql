-- What of a parcel was said when it was sent (`weightKg`, `notes`), and does not follow its order.
alter table orders add column said text[] not null default '{}';
alter table order_parts add column said text[] not null default '{}';

-- Of parcels that wait already nobody knows that: they keep what they have.
update orders o set said = '{weightKg,notes}' from parcels p
  where p.status = 'created' and p.part_id is null and p.order_id = o.id and o.parcel_id = p.id;
update order_parts a set said = '{weightKg,notes}' from parcels p
  where p.status = 'created' and p.part_id = a.id and p.id = a.parcel_id;

-- What goods that came back counted for was counted among discounts: these days are counted anew.
insert into analytics_marks select distinct store_id, date_bin('15 minutes', created_at, 'epoch') from orders where exchange_of is not null;
