-- Counts of orders by status, kept from the changes of orders.

create table order_status_counts (
  project_id text collate "C" not null,
  status text not null,
  orders bigint not null,
  constraint order_status_counts_pkey primary key (project_id, status)
);
comment on table order_status_counts is 'Number of the orders of a status that are not deleted, without changes that wait in order_changes.';

alter table order_changes add column is_deleted boolean not null default false;
comment on column order_changes.is_deleted is 'True if the order is deleted after the change.';
update order_changes set is_deleted = true where 'deleted_at' = any (changed);

-- What a change adds to the counts of statuses. Deleted orders count for none.
create function order_status_deltas(changed text[], from_status text, to_status text, is_deleted boolean)
returns table (status text, orders integer)
language sql immutable as $$
  select d.status, d.orders from (values
    -- Before: the order was there, unless it is new. What is deleted by this change was not before.
    (from_status, -1, changed is not null and is_deleted = coalesce('deleted_at' = any (changed), false)),
    (to_status, 1, not is_deleted)
  ) d (status, orders, counts) where d.counts
$$;

create or replace function order_change_record() returns trigger
language plpgsql as $$
declare
  columns text[];
begin
  if tg_op = 'UPDATE' then
    columns := array_remove(array[
      case when new.status is distinct from old.status then 'status' end,
      case when new.version is distinct from old.version then 'version' end,
      case when new.total is distinct from old.total then 'total' end,
      case when new.discount is distinct from old.discount then 'discount' end,
      case when new.paid is distinct from old.paid then 'paid' end,
      case when new.payment_status is distinct from old.payment_status then 'payment_status' end,
      case when new.assigned_to is distinct from old.assigned_to then 'assigned_to' end,
      case when new.deleted_at is distinct from old.deleted_at then 'deleted_at' end,
      case when new.promo_code is distinct from old.promo_code then 'promo_code' end,
      case when new.metadata is distinct from old.metadata then 'metadata' end,
      case when new.note is distinct from old.note then 'note' end,
      case when new.parcel_id is distinct from old.parcel_id then 'parcel_id' end,
      case when new.customer_phone is distinct from old.customer_phone then 'customer_phone' end,
      case when new.customer_phone_alt is distinct from old.customer_phone_alt then 'customer_phone_alt' end,
      case when new.destination is distinct from old.destination then 'destination' end,
      case when new.search_text is distinct from old.search_text then 'search_text' end,
      case when new.reference is distinct from old.reference then 'reference' end,
      case when (new.source, new.connector_id, new.external_id) is distinct from (old.source, old.connector_id, old.external_id) then 'source' end,
      case when (new.created_at, new.updated_at) is distinct from (old.created_at, old.updated_at) then 'updated_at' end
    ], null);
    if columns = '{}' then return null; end if;
  end if;
  insert into order_changes (project_id, order_id, slot, changed, from_status, to_status, is_deleted)
  values (new.project_id, new.id, hashtext(new.project_id) & 7, columns, case tg_op when 'UPDATE' then old.status end, new.status,
    new.deleted_at is not null);
  return null;
end $$;

insert into order_status_counts (project_id, status, orders)
select project_id, status, sum(orders) from (
  select project_id, status, count(*) as orders from orders where deleted_at is null group by 1, 2
  union all
  select c.project_id, d.status, -d.orders from order_changes c
    cross join lateral order_status_deltas(c.changed, c.from_status, c.to_status, c.is_deleted) d
) counted group by 1, 2;
