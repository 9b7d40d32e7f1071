-- Orders: orders with their lines, history, parts, returns and customers.

create table customers (
  store_id text not null,
  phone text not null,
  id text collate "C" not null,
  name text not null,
  phone_alt text,
  email text,
  first_order_id text not null,
  created_at timestamptz not null default now(),
  merged_into text collate "C",
  erased_at timestamptz,
  constraint customers_pkey primary key (store_id, phone),
  constraint customers_store_id_fkey foreign key (store_id) references stores(id) on delete cascade
);
comment on table customers is 'Person who ordered from a store, identified by phone number.';
create index customers_email on customers (store_id, lower(email)) where email is not null;
create unique index customers_id on customers (store_id, id);
create index customers_listed on customers (store_id, id) where (merged_into is null) and (erased_at is null);
create index customers_merged on customers (store_id, merged_into) where merged_into is not null;
create index customers_name on customers (store_id, name, id) where (merged_into is null) and (erased_at is null);
create index customers_words on customers using gin (folded(((((((name || ' ') || phone) || ' ') || coalesce(phone_alt, '')) || ' ') || coalesce(email, ''))) gin_trgm_ops);

create table orders (
  store_id text not null,
  id text collate "C" not null,
  reference text not null,
  status text not null,
  customer_name text not null,
  customer_phone text not null,
  customer_phone_alt text,
  customer_email text,
  destination jsonb not null,
  note text not null default '',
  promo_code text,
  subtotal numeric(19,4) not null,
  delivery numeric(19,4) not null,
  discount numeric(19,4) not null,
  total numeric(19,4) not null,
  source text not null,
  assigned_to text,
  metadata jsonb not null default '{}',
  reservation_id text,
  fulfilment_id text,
  parcel_id text,
  -- Number of parcels made for it, deleted ones included. Each has a reference of its own.
  sendings integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- Grows with its goods, amounts and destination. A parcel made from an older version is stale.
  version integer not null default 0,
  -- Network of an order without a credential.
  network text,
  -- Until when it holds stock without being confirmed.
  held_until timestamptz,
  -- Promotion as it was promised. Later changes of the promotion do not count.
  offer jsonb,
  -- Amount that was paid and counts, less refunds.
  paid numeric(19,4) not null default 0,
  payment_status text not null default 'unpaid',
  is_divided boolean not null default false,
  -- Order whose goods it replaces.
  exchange_of text collate "C",
  -- What its courier brings back, in words.
  takes_back text,
  -- Search text: folded name of the customer, and digits of the phone numbers.
  words text not null default '',
  discount_by_hand numeric(19,4) not null default 0,
  delivery_by_hand numeric(19,4),
  -- Fields of its parcel that were set when it was sent and no longer follow the order.
  said text[] not null default '{}',
  connector_id text collate "C",
  external_id text collate "C",
  -- Actor that made it: {kind, id, appId, adminId}.
  made_by jsonb,
  -- When its personal data was erased. Later reports from outside do not bring it back.
  erased_at timestamptz,
  constraint orders_pkey primary key (store_id, id),
  constraint orders_store_id_reference_key unique (store_id, reference),
  constraint orders_store_id_fkey foreign key (store_id) references stores(id),
  constraint orders_check check (total = (subtotal + delivery - discount)),
  constraint orders_delivery_by_hand_check check (delivery_by_hand >= 0),
  constraint orders_discount_by_hand_check check (discount_by_hand >= 0),
  constraint orders_of_connector check ((source = 'connector') = (connector_id is not null) and (connector_id is null) = (external_id is null)),
  constraint orders_payment_status_check check (payment_status in ('unpaid', 'pending', 'partially_paid', 'paid', 'refunded', 'needs_attention'))
);
comment on table orders is 'An order of a store: customer, destination, amounts and state.';
create index orders_assigned on orders (store_id, assigned_to, id) where assigned_to is not null;
create index orders_assigned_updated on orders (store_id, assigned_to, updated_at, id) where (assigned_to is not null) and (deleted_at is null);
create index orders_connector on orders (store_id, connector_id, id) where connector_id is not null;
create index orders_counted on orders (store_id, status) where deleted_at is null;
create index orders_divided on orders (store_id collate "C", id) where is_divided;
create index orders_email on orders (store_id, lower(customer_email)) where customer_email is not null;
create index orders_external on orders (store_id, external_id, id) where external_id is not null;
create index orders_held on orders (held_until) where held_until is not null;
create index orders_id on orders (id);
create index orders_payment on orders (store_id, payment_status, id) where (payment_status <> 'unpaid') and (deleted_at is null);
create index orders_payment_updated on orders (store_id, payment_status, updated_at, id) where (payment_status <> 'unpaid') and (deleted_at is null);
create index orders_phone on orders (store_id, customer_phone, id);
create index orders_phone_alt on orders (store_id, customer_phone_alt, id) where customer_phone_alt is not null;
create index orders_promo on orders (store_id, lower(promo_code), id) where (promo_code is not null) and (deleted_at is null);
create index orders_promo_updated on orders (store_id, lower(promo_code), updated_at, id) where (promo_code is not null) and (deleted_at is null);
create index orders_public_network on orders (store_id, network) where (source = 'storefront') and (status in ('pending', 'unreachable', 'postponed'));
create index orders_public_phone on orders (store_id, customer_phone) where (source = 'storefront') and (status in ('pending', 'unreachable', 'postponed'));
create index orders_repeated on orders (store_id, customer_phone, created_at) where (source = 'storefront') and (deleted_at is null);
create index orders_source on orders (store_id, source, id) where deleted_at is null;
create index orders_source_updated on orders (store_id, source, updated_at, id) where deleted_at is null;
create index orders_state on orders (store_id, ((destination ->> 'stateCode')), id) where deleted_at is null;
create index orders_state_updated on orders (store_id, ((destination ->> 'stateCode')), updated_at, id) where deleted_at is null;
create index orders_status on orders (store_id, status, id);
create index orders_status_updated on orders (store_id, status, updated_at, id) where deleted_at is null;
create index orders_total on orders (store_id, total, id) where deleted_at is null;
create index orders_unassigned on orders (store_id, id) where (assigned_to is null) and (deleted_at is null);
create index orders_unassigned_updated on orders (store_id, updated_at, id) where (assigned_to is null) and (deleted_at is null);
create index orders_updated on orders (store_id, updated_at, id) where deleted_at is null;
create index orders_words on orders using gin (store_id, words gin_trgm_ops) where deleted_at is null;
alter table feedbacks add constraint feedbacks_order foreign key (store_id, order_id) references orders(store_id, id);

create table order_items (
  store_id text not null,
  order_id text collate "C" not null,
  line integer not null,
  product_id text not null,
  variant_id text,
  name text not null,
  sku text,
  unit_price numeric(19,4) not null,
  quantity integer not null,
  inventory_key text,
  -- Bundle that the line is part of.
  offer_id text collate "C",
  -- Cost of one piece when it was ordered.
  unit_cost numeric(19,4),
  constraint order_items_pkey primary key (store_id, order_id, line),
  constraint order_items_store_id_order_id_fkey foreign key (store_id, order_id) references orders(store_id, id),
  constraint order_items_quantity_check check (quantity > 0)
);
comment on table order_items is 'Line of an order: a product, its price and quantity at the time of the order.';
create index order_items_product on order_items (store_id, product_id, order_id);

create table order_parts (
  store_id text collate "C" not null,
  order_id text collate "C" not null,
  id text collate "C" not null,
  -- Name given by the caller. The same name is the same part; null for the rest.
  name text collate "C",
  -- Null when the part was given up.
  parcel_id text collate "C",
  -- Amount its parcel collects; null for the value of its items.
  cod_amount numeric(19,4),
  reservation_id text,
  fulfilment_id text,
  created_at timestamptz not null default now(),
  said text[] not null default '{}',
  constraint order_parts_pkey primary key (store_id, order_id, id),
  constraint order_parts_store_id_order_id_fkey foreign key (store_id, order_id) references orders(store_id, id),
  constraint order_parts_check check (parcel_id is not null or reservation_id is null),
  constraint order_parts_cod_amount_check check (cod_amount >= 0)
);
comment on table order_parts is 'Part of an order that travels as a parcel of its own.';
create unique index order_parts_name on order_parts (store_id, order_id, name) where name is not null;

create table order_part_lines (
  store_id text collate "C" not null,
  order_id text collate "C" not null,
  part_id text collate "C" not null,
  line integer not null,
  quantity integer not null,
  back integer not null default 0,
  constraint order_part_lines_pkey primary key (store_id, order_id, part_id, line),
  constraint order_part_lines_store_id_order_id_line_fkey foreign key (store_id, order_id, line) references order_items(store_id, order_id, line),
  constraint order_part_lines_store_id_order_id_part_id_fkey foreign key (store_id, order_id, part_id) references order_parts(store_id, order_id, id) on delete cascade,
  constraint order_part_lines_check check (back >= 0 and back <= quantity),
  constraint order_part_lines_quantity_check check (quantity > 0)
);
comment on table order_part_lines is 'Quantity of a line that a part contains.';

create table order_returns (
  store_id text collate "C" not null,
  order_id text collate "C" not null,
  id text collate "C" not null,
  -- Inventory operation that put the goods back; null when none were.
  operation_id text,
  restocked boolean not null,
  note text not null default '',
  created_at timestamptz not null default now(),
  status text not null default 'received',
  received_at timestamptz,
  exchange_order_id text collate "C",
  constraint order_returns_pkey primary key (store_id, order_id, id),
  constraint order_returns_status_check check (status in ('awaited', 'received', 'cancelled'))
);
comment on table order_returns is 'Goods of an order that are to come back, or came back.';
create unique index order_returns_exchange on order_returns (store_id, exchange_order_id) where exchange_order_id is not null;

create table order_return_lines (
  store_id text collate "C" not null,
  order_id text collate "C" not null,
  return_id text collate "C" not null,
  line integer not null,
  quantity integer not null,
  constraint order_return_lines_pkey primary key (store_id, order_id, return_id, line),
  constraint order_return_lines_store_id_order_id_return_id_fkey foreign key (store_id, order_id, return_id) references order_returns(store_id, order_id, id),
  constraint order_return_lines_quantity_check check (quantity > 0)
);
comment on table order_return_lines is 'Quantity of a line that a return contains.';

create table order_status_changes (
  store_id text collate "C" not null,
  order_id text collate "C" not null,
  id text collate "C" not null,
  from_status text not null,
  to_status text not null,
  reason text not null default '',
  -- User or API key; empty for the system.
  by_id text collate "C" not null,
  by_kind text not null,
  created_at timestamptz not null default now(),
  admin_id text,
  app_id text,
  constraint order_status_changes_pkey primary key (store_id, order_id, id),
  constraint order_status_changes_by_kind_check check (by_kind in ('person', 'key', 'connector', 'carrier', 'public', 'system'))
) partition by range (order_id);
comment on table order_status_changes is 'Change of an orders status after the first, with its actor and reason. Partitioned by the quarter of the order.';
create table order_status_changes_rest partition of order_status_changes for values from (minvalue) to (maxvalue);

create table recipient_outcomes (
  project_id text collate "C" not null,
  parcel_id text collate "C" not null,
  phone text not null,
  outcome text not null,
  constraint recipient_outcomes_pkey primary key (project_id, parcel_id),
  constraint recipient_outcomes_outcome_check check (outcome in ('delivered', 'returned', 'refused'))
);
comment on table recipient_outcomes is 'Outcome of a parcel that reached its recipients door. Counted by phone number over all stores, and shown only as counts.';
create index recipient_outcomes_phone_outcome_idx on recipient_outcomes (phone, outcome);

create table confirmation_queue (
  store_id text collate "C" not null,
  order_id text collate "C" not null,
  -- The order that is due longest is called first.
  due_at timestamptz not null,
  attempts integer not null default 0,
  language text,
  skill text,
  assigned_to text,
  leased_by text collate "C",
  leased_until timestamptz,
  constraint confirmation_queue_pkey primary key (store_id, order_id),
  constraint confirmation_queue_check check ((leased_by is null) = (leased_until is null))
);
comment on table confirmation_queue is 'Order that waits for a call: when it is due, and which agent has it.';
create index confirmation_queue_store_id_assigned_to_due_at_order_id_idx on confirmation_queue (store_id, assigned_to, due_at, order_id);
create index confirmation_queue_store_id_due_at_order_id_idx on confirmation_queue (store_id, due_at, order_id);
create index confirmation_queue_store_id_leased_by_idx on confirmation_queue (store_id, leased_by) where leased_by is not null;

create table confirmation_calls (
  store_id text collate "C" not null,
  order_id text collate "C" not null,
  id text collate "C" not null,
  agent_id text collate "C" not null,
  outcome text not null,
  reason text not null default '',
  next_try_at timestamptz,
  created_at timestamptz not null default now(),
  constraint confirmation_calls_pkey primary key (store_id, order_id, id)
) partition by range (order_id);
comment on table confirmation_calls is 'Outcome of a confirmation call. Partitioned by the quarter of the order.';
create table confirmation_calls_rest partition of confirmation_calls for values from (minvalue) to (maxvalue);

create table confirmation_uses (
  store_id text collate "C" not null,
  first_at timestamptz not null default now(),
  constraint confirmation_uses_pkey primary key (store_id),
  constraint confirmation_uses_store_id_fkey foreign key (store_id) references stores(id) on delete cascade
);
comment on table confirmation_uses is 'Store that has used the confirmation queue. It sends only confirmed orders, unless a setting says otherwise.';

create table erasures (
  store_id text collate "C" not null,
  id text collate "C" not null,
  cause text not null,
  state text not null default 'running',
  customers integer not null,
  orders integer not null,
  parcels integer not null,
  people text,
  -- First or second pass over all tables. The second finds what was on its way.
  pass integer not null default 1,
  step integer not null default 0,
  place text,
  asked_by text,
  carriers_told text[] not null default '{}',
  asked_at timestamptz not null default now(),
  done_at timestamptz,
  swept_at timestamptz,
  constraint erasures_pkey primary key (store_id, id),
  constraint erasures_cause_check check (cause in ('request', 'shop', 'retention')),
  constraint erasures_state_check check (state in ('running', 'done'))
);
comment on table erasures is 'Erasure of a persons data, with its progress. people is sealed, and deleted when the erasure is over.';
create index erasures_open on erasures (asked_at) where swept_at is null;

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
comment on view order_line_ends is 'Quantities kept, sent back, returned and lost of each line, for orders that were divided or partly returned.';

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
comment on view order_ends is 'Amounts kept, returned and still to come of the orders of order_line_ends.';

create function confirmation_follow()
 returns trigger
 language plpgsql
as $function$
begin
  if not confirmation_waits(new.status, new.deleted_at) then
    delete from confirmation_queue where store_id = new.store_id and order_id = new.id;
    return null;
  end if;
  if tg_op = 'INSERT' or not confirmation_waits(old.status, old.deleted_at) then
    insert into confirmation_queue (store_id, order_id, due_at, language, skill, assigned_to)
    values (new.store_id, new.id, now() - trigger_setting('confirmation.headStart'),
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
  where store_id = new.store_id and order_id = new.id;
  return null;
end $function$;

create trigger confirms_change after update on orders for each row when (((((((old.status is distinct from new.status) or (old.deleted_at is distinct from new.deleted_at)) or (old.assigned_to is distinct from new.assigned_to)) or (old.customer_phone is distinct from new.customer_phone)) or (old.customer_phone_alt is distinct from new.customer_phone_alt)) or (old.metadata is distinct from new.metadata))) execute function confirmation_follow();

create trigger confirms_new after insert on orders for each row when (confirmation_waits(new.status, new.deleted_at)) execute function confirmation_follow();
