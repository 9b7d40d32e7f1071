-- Orders, their confirmation, customers, erasures and dispatches are keyed by the project of their store.

-- Stay with their stores until their own tables are keyed.
alter table feedbacks drop constraint feedbacks_order;
select key_by_project('orders', 'order_items', 'order_parts', 'order_part_lines', 'order_returns', 'order_return_lines', 'order_status_changes', 'promo_redemptions');
select key_by_project('confirmation_queue', 'confirmation_calls', 'confirmation_uses');
select key_by_project('customers', 'erasures', 'dispatches', 'dispatch_rules');
alter table payments add constraint payments_project_id_order_id_fkey foreign key (project_id, order_id) references orders(project_id, id);

alter view order_line_ends rename column store_id to project_id;
alter view order_ends rename column store_id to project_id;

create or replace function confirmation_follow() returns trigger
language plpgsql as $$
begin
  if not confirmation_waits(new.status, new.deleted_at) then
    delete from confirmation_queue where project_id = new.project_id and order_id = new.id;
    return null;
  end if;
  if tg_op = 'INSERT' or not confirmation_waits(old.status, old.deleted_at) then
    insert into confirmation_queue (project_id, order_id, due_at, language, skill, assigned_to)
    values (new.project_id, new.id, now() - trigger_setting('confirmation.headStart'),
      new.metadata ->> 'language', new.metadata ->> 'skill', new.assigned_to)
    on conflict do nothing;
    return null;
  end if;
  update confirmation_queue set
    language = new.metadata ->> 'language', skill = new.metadata ->> 'skill', assigned_to = new.assigned_to,
    attempts = case
      when (old.customer_phone, old.customer_phone_alt) is distinct from (new.customer_phone, new.customer_phone_alt) then 0 else attempts end,
    due_at = case
      -- Another number is tried at once.
      when (old.customer_phone, old.customer_phone_alt) is distinct from (new.customer_phone, new.customer_phone_alt) then least(due_at, now())
      -- A status other than pending was set by an agent who has just called.
      when old.status <> new.status and new.status <> 'pending'
        then greatest(due_at, now() + trigger_setting('confirmation.pauseAfterCall'))
      else due_at end
  where project_id = new.project_id and order_id = new.id;
  return null;
end $$;

create or replace function analytics_mark() returns trigger
language plpgsql as $$
begin
  insert into analytics_marks values (new.project_id, new.created_at);
  return null;
end $$;

create or replace function analytics_mark_of(whose text, which text) returns void
language sql as $$
  insert into analytics_marks select project_id, created_at from orders where project_id = whose and id = which
$$;

create or replace function analytics_mark_exchanged() returns trigger
language plpgsql as $$
begin
  perform analytics_mark_of(new.project_id, new.exchange_of);
  return null;
end $$;

create or replace function analytics_mark_parcel() returns trigger
language plpgsql as $$
begin
  perform analytics_mark_of(new.project_id, new.order_id);
  return null;
end $$;

create or replace function analytics_mark_order() returns trigger
language plpgsql as $$
begin
  perform analytics_mark_of(new.project_id, new.order_id);
  return null;
end $$;

create or replace function ads_follow() returns trigger
language plpgsql as $$
begin
  insert into ads_events (connection_id, order_id, event, pixel_id, project_id, with_value)
  select r.connection_id, new.id, r.event, r.pixel_id, r.project_id, r.with_value
  from ads_rules r where r.project_id = new.project_id and r.status = new.status
  on conflict do nothing;
  return null;
end $$;

create or replace function connectors_mark_moved() returns trigger
language plpgsql as $$
begin
  insert into connector_marks (connection_id, connector_order_id)
  select connection_id, id from connector_orders where store_id = 'sto_' || substr(new.project_id, 5) and order_id = new.id;
  return null;
end $$;

create or replace function connectors_mark_numbered() returns trigger
language plpgsql as $$
begin
  insert into connector_marks (connection_id, connector_order_id)
  select connection_id, id from connector_orders where store_id = 'sto_' || substr(new.project_id, 5) and order_id = new.order_id;
  return null;
end $$;

create or replace function sheets_mark() returns trigger
language plpgsql as $$
begin
  insert into sheet_rows (project_id, connection_id, order_id)
  select t.project_id, t.connection_id, new.id from sheet_targets t
  where t.project_id = new.project_id and (
    exists (select 1 from sheet_rows r where r.project_id = t.project_id and r.connection_id = t.connection_id and r.order_id = new.id)
    or (new.created_at >= t.since and new.deleted_at is null and (t.statuses is null or new.status = any (t.statuses))))
  on conflict (project_id, connection_id, order_id) do update set wanted = sheet_rows.wanted + 1;
  return null;
end $$;

create or replace view order_line_ends as
select w.project_id, w.order_id, i.line, i.quantity, i.unit_price, i.unit_cost, e.kept, e.back, e.returned, e.on_its_way, e.lost, e.given_up
from (
  select project_id collate "C" as project_id, id as order_id from orders where is_divided
  union select project_id, order_id from order_returns where status = 'received'
) w
join orders o on o.project_id = w.project_id and o.id = w.order_id
join order_items i on i.project_id = o.project_id and i.order_id = o.id
cross join lateral (
  select coalesce(sum(l.quantity - l.back) filter (where p.status = 'delivered'), 0) as kept, coalesce(sum(l.back), 0) as back,
    coalesce(sum(l.quantity - l.back) filter (where p.status = 'returned'), 0) as returned,
    coalesce(sum(l.quantity - l.back) filter (where p.status = 'returning'), 0) as on_its_way,
    coalesce(sum(l.quantity - l.back) filter (where p.status = 'lost'), 0) as lost,
    coalesce(sum(l.quantity - l.back) filter (where t.parcel_id is null), 0) as given_up
  from order_part_lines l join order_parts t on t.project_id = l.project_id and t.order_id = l.order_id and t.id = l.part_id
    left join parcels p on p.project_id = t.project_id and p.id = t.parcel_id
  where l.project_id = w.project_id and l.order_id = w.order_id and l.line = i.line having o.is_divided
  union all
  select case o.status when 'delivered' then i.quantity - b.back else 0 end, b.back,
    case o.status when 'returned' then i.quantity - b.back else 0 end, case o.status when 'returning' then i.quantity - b.back else 0 end,
    case o.status when 'lost' then i.quantity - b.back else 0 end, 0
  from (
    select coalesce(sum(l.quantity), 0) as back
    from order_return_lines l join order_returns r on r.project_id = l.project_id and r.order_id = l.order_id and r.id = l.return_id
    where l.project_id = w.project_id and l.order_id = w.order_id and l.line = i.line and r.status = 'received'
  ) b where not o.is_divided
) e;
comment on view order_line_ends is 'Quantities kept, sent back, returned and lost of each line, for orders that were divided or partly returned.';

create or replace view order_ends as
select l.project_id, l.order_id, l.kept_cost, l.kept_without_cost,
  round(l.brought * m.share, 2) + case when k.holds then m.fee else 0 end - m.refunded as kept,
  case when k.holds then o.delivery else 0 end as kept_delivery,
  round(l.came_back * m.share, 2) + m.refunded + case when not k.holds and l.to_come = 0 and l.came_back + l.back > 0 then m.fee else 0 end as returned,
  round(l.to_come * m.share, 2) + case when not k.holds and l.to_come > 0 then m.fee else 0 end as to_come
from (
  select project_id, order_id, sum(quantity * unit_price) as goods, sum(kept) as kept, sum(back) as back, sum((kept + back) * unit_price) as brought,
    sum((returned + on_its_way) * unit_price) as came_back,
    sum((quantity - kept - back - returned - on_its_way - lost - given_up) * unit_price) as to_come,
    coalesce(sum(kept * unit_cost), 0) as kept_cost, coalesce(sum(kept) filter (where unit_cost is null), 0) as kept_without_cost
  from order_line_ends group by project_id, order_id
) l
join orders o on o.project_id = l.project_id and o.id = l.order_id
cross join lateral (
  select coalesce(bool_or(x.goes), false) as exchanged, coalesce(sum(x.goods) filter (where not x.goes), 0) as goods,
    coalesce(sum(x.unused) filter (where x.goes), 0) as unused
  from (
    select greatest((e.offer ->> 'value')::numeric - e.discount, 0) as unused,
      -- One that came back by hand was paid and says for itself what was given back.
      coalesce(e.deleted_at is null and e.status not in ('cancelled', 'lost') and (e.status <> 'returned' or exists (
        select from order_returns h where h.project_id = e.project_id and h.order_id = e.id and h.status = 'received')), false) as goes,
      (select sum(b.quantity * i.unit_price) from order_return_lines b
        join order_items i on i.project_id = o.project_id and i.order_id = b.order_id and i.line = b.line
        where b.project_id = r.project_id and b.order_id = r.order_id and b.return_id = r.id) as goods
    from order_returns r left join orders e on e.project_id = r.project_id and e.id = r.exchange_order_id
    where r.project_id = l.project_id and r.order_id = l.order_id and r.status = 'received'
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
comment on view order_ends is 'Amounts kept, returned and still to come of the orders of order_line_ends.';

create unique index parcels_live_of_project_order on parcels (project_id, order_id, (coalesce(part_id, ''))) where order_id is not null and status <> 'cancelled';
drop index parcels_live_of_order;
alter index parcels_live_of_project_order rename to parcels_live_of_order;
