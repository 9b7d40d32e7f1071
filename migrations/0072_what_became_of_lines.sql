-- Of most orders the status says what became of each of their goods. It does not of those that travel in parts, nor of those of which goods
-- came back by hand.
create index orders_divided on orders ((store_id collate "C"), id) where is_divided;

-- Each line of these: how many were delivered and kept, brought `back` by the customer, came back with their carrier, are on their way back,
-- were lost, and are not sent any more. The others are still to come.
create view order_line_ends as
select w.store_id, w.order_id, i.line, i.quantity, i.unit_price, i.unit_cost, e.kept, e.back, e.returned, e.on_its_way, e.lost, e.given_up
from (
  select store_id collate "C" as store_id, id as order_id from orders where is_divided
  union select store_id, order_id from order_returns where status = 'received'
) w
join orders o on o.id = w.order_id
join order_items i on i.store_id = o.store_id and i.order_id = o.id
cross join lateral (
  select coalesce(sum(l.quantity - l.back) filter (where p.status = 'delivered'), 0) as kept, coalesce(sum(l.back), 0) as back,
    coalesce(sum(l.quantity - l.back) filter (where p.status = 'returned'), 0) as returned,
    coalesce(sum(l.quantity - l.back) filter (where p.status = 'returning'), 0) as on_its_way,
    coalesce(sum(l.quantity - l.back) filter (where p.status = 'lost'), 0) as lost,
    coalesce(sum(l.quantity - l.back) filter (where t.parcel_id is null), 0) as given_up
  from order_part_lines l join order_parts t on t.store_id = l.store_id and t.order_id = l.order_id and t.id = l.part_id
    left join parcels p on p.id = t.parcel_id
  where l.store_id = w.store_id and l.order_id = w.order_id and l.line = i.line having o.is_divided
  union all
  select case o.status when 'delivered' then i.quantity - b.back else 0 end, b.back,
    case o.status when 'returned' then i.quantity - b.back else 0 end, case o.status when 'returning' then i.quantity - b.back else 0 end,
    case o.status when 'lost' then i.quantity - b.back else 0 end, 0
  from (
    select coalesce(sum(l.quantity), 0) as back
    from order_return_lines l join order_returns r on r.store_id = l.store_id and r.order_id = l.order_id and r.id = l.return_id
    where l.store_id = w.store_id and l.order_id = w.order_id and l.line = i.line and r.status = 'received'
  ) b where not o.is_divided
) e;

-- What these orders brought in, gave back and are still to bring, in all `total` but for what was lost or is not sent any more. What goes out
-- in exchange is paid by what came in for the goods that came back: this stays where it was collected, and is given back where nothing went
-- out after all. A credit is no discount of what it pays for. Delivery is kept where anything is, or was exchanged.
create view order_ends as
select l.store_id, l.order_id, l.kept_cost, l.kept_without_cost,
  round(l.brought * m.share, 2) + case when k.holds then m.fee else 0 end - m.refunded as kept,
  case when k.holds then o.delivery else 0 end as kept_delivery,
  round(l.came_back * m.share, 2) + m.refunded + case when not k.holds and l.to_come = 0 and l.came_back + l.back > 0 then m.fee else 0 end as returned,
  round(l.to_come * m.share, 2) + case when not k.holds and l.to_come > 0 then m.fee else 0 end as to_come
from (
  select store_id, order_id, sum(quantity * unit_price) as goods, sum(kept) as kept, sum(back) as back, sum((kept + back) * unit_price) as brought,
    sum((returned + on_its_way) * unit_price) as came_back,
    sum((quantity - kept - back - returned - on_its_way - lost - given_up) * unit_price) as to_come,
    coalesce(sum(kept * unit_cost), 0) as kept_cost, coalesce(sum(kept) filter (where unit_cost is null), 0) as kept_without_cost
  from order_line_ends group by store_id, order_id
) l
join orders o on o.id = l.order_id
cross join lateral (
  select coalesce(bool_or(x.goes), false) as exchanged, coalesce(sum(x.goods) filter (where not x.goes), 0) as goods,
    coalesce(sum(x.unused) filter (where x.goes), 0) as unused
  from (
    select greatest((e.offer ->> 'value')::numeric - e.discount, 0) as unused,
      -- One that came back by hand was paid and says for itself what was given back.
      coalesce(e.deleted_at is null and e.status not in ('cancelled', 'lost') and (e.status <> 'returned' or exists (
        select from order_returns h where h.store_id = e.store_id and h.order_id = e.id and h.status = 'received')), false) as goes,
      (select sum(b.quantity * i.unit_price) from order_return_lines b
        join order_items i on i.store_id = o.store_id and i.order_id = b.order_id and i.line = b.line
        where b.store_id = r.store_id and b.order_id = r.order_id and b.return_id = r.id) as goods
    from order_returns r left join orders e on e.id = r.exchange_order_id
    where r.store_id = l.store_id and r.order_id = l.order_id and r.status = 'received'
  ) x
) b
cross join lateral (select l.kept > 0 or b.exchanged as holds) k
cross join lateral (
  select o.delivery - case o.offer ->> 'kind' when 'free_shipping' then o.discount else 0 end as fee
) f
cross join lateral (
  select f.fee, coalesce((o.total - f.fee) / nullif(l.goods, 0), 0) as share,
    round(b.goods * coalesce(case o.offer ->> 'kind' when 'credit' then o.subtotal else o.total - f.fee end / nullif(l.goods, 0), 0), 2) + b.unused as refunded
) m;

-- What a day comes to changes with them too.
create function analytics_mark_of(whose text, which text) returns void language sql as $$
  insert into analytics_marks select store_id, created_at from orders where id = which and store_id = whose
$$;
create function analytics_mark_order() returns trigger language plpgsql as $$
begin
  perform analytics_mark_of(new.store_id, new.order_id);
  return null;
end $$;
create trigger marks_return after insert or update on order_returns for each row execute function analytics_mark_order();
create trigger marks_part after insert or update on order_parts for each row execute function analytics_mark_order();
create trigger marks_part_line after update on order_part_lines for each row execute function analytics_mark_order();

create function analytics_mark_parcel() returns trigger language plpgsql as $$
begin
  insert into analytics_marks select store_id, created_at from orders where id = new.order_id;
  return null;
end $$;
create trigger marks_parcel after update of status on parcels for each row
  when (new.part_id is not null and new.status is distinct from old.status) execute function analytics_mark_parcel();

create function analytics_mark_exchanged() returns trigger language plpgsql as $$
begin
  perform analytics_mark_of(new.store_id, new.exchange_of);
  return null;
end $$;
create trigger marks_exchanged after update on orders for each row when (
  new.exchange_of is not null and (old.status, old.discount, old.deleted_at) is distinct from (new.status, new.discount, new.deleted_at)
) execute function analytics_mark_exchanged();

-- Zones that nobody knows were taken, and left aside.
update stores set settings = settings #- '{confirmation,timeZone}'
  where lower(settings #>> '{confirmation,timeZone}') not in (select lower(name) from pg_timezone_names);

-- All is counted anew, with what came of it; cost is that of what was kept.
truncate analytics_cells, analytics_days;
alter table analytics_cells
  add column exchanges integer not null,
  add column kept numeric not null,
  add column kept_delivery numeric not null,
  add column returned numeric not null,
  add column to_come numeric not null;
insert into analytics_marks select distinct store_id, date_bin('15 minutes', created_at, 'epoch') from orders;
