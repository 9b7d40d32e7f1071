-- Counts of orders by status, kept from the changes of orders.

create table order_status_counts (
  project_id text collate "C" not null,
  status text not null,
  orders bigint not null,
  constraint order_status_counts_pkey primary key (project_id, status)
);
comment on table order_status_counts is 'Number of the orders of a status that are not deleted, without changes that wait in order_changes.';

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

insert into order_status_counts (project_id, status, orders)
select project_id, status, sum(orders) from (
  select project_id, status, count(*) as orders from orders where deleted_at is null group by 1, 2
  union all
  select c.project_id, d.status, -d.orders from order_changes c
    cross join lateral order_status_deltas(c.changed, c.from_status, c.to_status, c.is_deleted) d
) counted group by 1, 2;
