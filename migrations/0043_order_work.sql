-- Each status that an order came to after its first, and who or what brought it there; in the partition of the time when the order was made.
create table order_status_changes (
  store_id text collate "C" not null,
  order_id text collate "C" not null,
  id text collate "C" not null,
  from_status text not null,
  to_status text not null,
  reason text not null default '',
  -- A person or an API key; empty where nobody asked for it.
  by_id text collate "C" not null,
  by_kind text not null check (by_kind in ('person', 'key', 'system')),
  created_at timestamptz not null default now(),
  primary key (store_id, order_id, id)
) partition by range (order_id);
create table order_status_changes_rest partition of order_status_changes for values from (minvalue) to (maxvalue);

-- What customers sent back of delivered orders, line by line.
create table order_returns (
  store_id text collate "C" not null,
  order_id text collate "C" not null,
  id text collate "C" not null,
  -- The ledger's operation; null where nothing went back on the shelf.
  operation_id text,
  restocked boolean not null,
  note text not null default '',
  created_at timestamptz not null default now(),
  primary key (store_id, order_id, id)
);
create table order_return_lines (
  store_id text collate "C" not null,
  order_id text collate "C" not null,
  return_id text collate "C" not null,
  line integer not null,
  quantity integer not null check (quantity > 0),
  primary key (store_id, order_id, return_id, line),
  foreign key (store_id, order_id, return_id) references order_returns (store_id, order_id, id)
);

-- What became of each parcel that reached its recipient's door: counted by phone over all stores, told as counts alone.
create table recipient_outcomes (
  project_id text collate "C" not null,
  parcel_id text collate "C" not null,
  phone text not null,
  outcome text not null check (outcome in ('delivered', 'returned', 'refused')),
  primary key (project_id, parcel_id)
);
create index on recipient_outcomes (phone, outcome);
insert into recipient_outcomes (project_id, parcel_id, phone, outcome)
select project_id, id, recipient ->> 'phone', case when status = 'delivered' then 'delivered' when delivered_at is not null then 'returned' else 'refused' end
from parcels where status in ('delivered', 'returning', 'returned') and recipient ->> 'phone' is not null;

-- Orders that wait for somebody to call: one row for as long as they do.
create table confirmation_queue (
  store_id text collate "C" not null,
  order_id text collate "C" not null,
  -- Who is due longest is called first; a new order counts as due for half an hour, so that it comes before those that are tried again.
  due_at timestamptz not null,
  attempts integer not null default 0,
  language text,
  skill text,
  assigned_to text,
  leased_by text collate "C",
  leased_until timestamptz,
  primary key (store_id, order_id),
  check ((leased_by is null) = (leased_until is null))
);
create index on confirmation_queue (store_id, due_at, order_id);
create index on confirmation_queue (store_id, assigned_to, due_at, order_id);
create index on confirmation_queue (store_id, leased_by) where leased_by is not null;

-- What came of each call.
create table confirmation_calls (
  store_id text collate "C" not null,
  order_id text collate "C" not null,
  id text collate "C" not null,
  agent_id text collate "C" not null,
  outcome text not null,
  reason text not null default '',
  next_try_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (store_id, order_id, id)
) partition by range (order_id);
create table confirmation_calls_rest partition of confirmation_calls for values from (minvalue) to (maxvalue);

create function confirmation_waits(status text, deleted_at timestamptz) returns boolean language sql immutable as $$
  select deleted_at is null and status in ('pending', 'unreachable', 'postponed')
$$;

-- Whoever moves an order moves it in and out of the queue.
create function confirmation_follow() returns trigger language plpgsql as $$
begin
  if not confirmation_waits(new.status, new.deleted_at) then
    delete from confirmation_queue where store_id = new.store_id and order_id = new.id;
    return null;
  end if;
  if tg_op = 'INSERT' or not confirmation_waits(old.status, old.deleted_at) then
    insert into confirmation_queue (store_id, order_id, due_at, language, skill, assigned_to)
    values (new.store_id, new.id, now() - interval '30 minutes', new.metadata ->> 'language', new.metadata ->> 'skill', new.assigned_to)
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
      -- Whoever called has just tried.
      when old.status <> new.status and new.status <> 'pending' then greatest(due_at, now() + interval '1 hour')
      else due_at end
  where store_id = new.store_id and order_id = new.id;
  return null;
end $$;
create trigger confirms_new after insert on orders for each row when (confirmation_waits(new.status, new.deleted_at))
  execute function confirmation_follow();
create trigger confirms_change after update on orders for each row when (
  (old.status, old.deleted_at, old.assigned_to, old.customer_phone, old.customer_phone_alt, old.metadata)
    is distinct from
  (new.status, new.deleted_at, new.assigned_to, new.customer_phone, new.customer_phone_alt, new.metadata)
) execute function confirmation_follow();

insert into confirmation_queue (store_id, order_id, due_at, language, skill, assigned_to)
select store_id, id, least(updated_at, now()), metadata ->> 'language', metadata ->> 'skill', assigned_to
from orders where confirmation_waits(status, deleted_at);

-- Orders without a credential of a phone within minutes.
create index orders_repeated on orders (store_id, customer_phone, created_at) where source = 'storefront' and deleted_at is null;
