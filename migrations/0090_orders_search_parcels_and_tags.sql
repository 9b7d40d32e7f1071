-- Copies of orders get what more filters need: the newest parcel, the place, tags, and since when an order waits.

drop table order_search;
create table order_search (
  project_id text not null,
  id text collate "C" not null,
  reference text not null,
  status text not null,
  assigned_to text,
  promo_code text,
  source text not null,
  connector_id text collate "C",
  external_id text collate "C",
  payment_status text not null,
  state_code text,
  current_state_code text,
  city_code text,
  city_key text collate "C",
  delivery_type text,
  carrier text collate "C",
  parcel_status text not null,
  printed text,
  tags text[] collate "C" not null,
  waiting_since timestamptz,
  phone_end text collate "C" not null,
  phone_alt_end text collate "C",
  total numeric(19,4) not null,
  search_text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint order_search_pkey primary key (project_id, id)
);
comment on table order_search is 'Order as lists filter, sort and search it. Background work copies changed orders; lists read those that still wait for it from orders.';
comment on column order_search.id is 'Id of the order. No reference: a key would lock the order for each copy.';
comment on column order_search.promo_code is 'In lower case.';
comment on column order_search.state_code is 'State of the destination, by code, or as it was typed.';
comment on column order_search.current_state_code is 'State that the place belongs to since new borders.';
comment on column order_search.city_key is 'Code of the commune, or its folded name when the place catalogue does not know it.';
comment on column order_search.carrier is 'Carrier of the newest parcel that was not cancelled; null without a parcel.';
comment on column order_search.parcel_status is 'Status of that parcel, or none. One that waits for its carrier counts as submitting.';
comment on column order_search.printed is 'Whether the label of that parcel was printed, yes or no; null without a parcel.';
comment on column order_search.phone_end is 'Phone number from its last digit to its first, so that an index finds its end.';
comment on column order_search.waiting_since is 'Time of the last change of the status of an order that no carrier has; null for all others.';

insert into order_search
select o.project_id, o.id, o.reference, o.status, o.assigned_to, lower(o.promo_code), o.source, o.connector_id, o.external_id, o.payment_status,
  o.destination ->> 'stateCode', o.destination ->> 'currentStateCode', o.destination ->> 'cityCode',
  coalesce(o.destination ->> 'cityCode', folded(o.destination ->> 'cityName')), o.destination ->> 'deliveryType', p.courier_id, coalesce(p.status, 'none'), p.printed,
  coalesce(t.tags, '{}'), case when o.status in ('pending', 'confirmed', 'unreachable', 'postponed') then coalesce(h.at, o.created_at) end,
  reverse(o.customer_phone), reverse(o.customer_phone_alt), o.total, o.search_text, o.created_at, o.updated_at
from orders o
  left join (
    select distinct on (project_id, order_id) project_id, order_id, courier_id,
      case when status = 'created' and submit_at is not null then 'submitting' else status end as status, case when printed_at is null then 'no' else 'yes' end as printed
    from parcels where order_id is not null and status <> 'cancelled' order by project_id, order_id, id desc
  ) p on p.project_id = o.project_id and p.order_id = o.id
  left join (select project_id, order_id, array_agg(tag order by tag) as tags from order_tags group by 1, 2) t
    on t.project_id = o.project_id and t.order_id = o.id
  left join (
    select distinct on (project_id, order_id) project_id, order_id, created_at as at from order_status_changes order by project_id, order_id, id desc
  ) h on h.project_id = o.project_id and h.order_id = o.id
where o.deleted_at is null;

create index order_search_assigned on order_search (project_id, assigned_to, id) where assigned_to is not null;
create index order_search_assigned_updated on order_search (project_id, assigned_to, updated_at, id) where assigned_to is not null;
create index order_search_carrier on order_search (project_id, carrier, id) where carrier is not null;
create index order_search_carrier_updated on order_search (project_id, carrier, updated_at, id) where carrier is not null;
create index order_search_city on order_search (project_id, city_key, id);
create index order_search_connector on order_search (project_id, connector_id, id) where connector_id is not null;
create index order_search_delivery on order_search (project_id, delivery_type, id);
create index order_search_delivery_updated on order_search (project_id, delivery_type, updated_at, id);
create index order_search_external on order_search (project_id, external_id, id) where external_id is not null;
create index order_search_parcel on order_search (project_id, parcel_status, id);
create index order_search_parcel_updated on order_search (project_id, parcel_status, updated_at, id);
create index order_search_payment on order_search (project_id, payment_status, id);
create index order_search_payment_updated on order_search (project_id, payment_status, updated_at, id);
create index order_search_phone on order_search (project_id, phone_end) where waiting_since is not null;
create index order_search_phone_alt on order_search (project_id, phone_alt_end) where waiting_since is not null and phone_alt_end is not null;
create index order_search_printed on order_search (project_id, printed, id) where printed is not null;
create index order_search_printed_updated on order_search (project_id, printed, updated_at, id) where printed is not null;
create index order_search_promo on order_search (project_id, promo_code, id) where promo_code is not null;
create index order_search_promo_updated on order_search (project_id, promo_code, updated_at, id) where promo_code is not null;
create index order_search_source on order_search (project_id, source, id);
create index order_search_source_updated on order_search (project_id, source, updated_at, id);
create index order_search_state on order_search (project_id, state_code, id);
create index order_search_state_updated on order_search (project_id, state_code, updated_at, id);
create index order_search_status on order_search (project_id, status, id);
create index order_search_status_updated on order_search (project_id, status, updated_at, id);
create index order_search_text on order_search using gin (project_id, search_text gin_trgm_ops, reference);
create index order_search_total on order_search (project_id, total, id);
create index order_search_unassigned on order_search (project_id, id) where assigned_to is null;
create index order_search_unassigned_updated on order_search (project_id, updated_at, id) where assigned_to is null;
create index order_search_updated on order_search (project_id, updated_at, id);
create index order_search_waiting on order_search (project_id, id, waiting_since) where waiting_since is not null;
create index order_search_waiting_updated on order_search (project_id, updated_at, id, waiting_since) where waiting_since is not null;

-- Parcels and tags append to the changes of their order, so that its copy follows them. The status of the order stays as it is.
create function order_change_append() returns trigger
language plpgsql as $$
declare
  changed_row record := coalesce(new, old);
begin
  insert into order_changes (project_id, order_id, slot, changed, from_status, to_status, is_deleted)
  select o.project_id, o.id, hashtext(o.project_id) & 7, array[tg_argv[0]], o.status, o.status, o.deleted_at is not null
  from orders o where o.project_id = changed_row.project_id and o.id = changed_row.order_id;
  return null;
end $$;
create trigger appends_tag after insert or update or delete on order_tags for each row execute function order_change_append('tags');
create trigger appends_new after insert on parcels for each row when (new.order_id is not null) execute function order_change_append('parcel');
create trigger appends_removal after delete on parcels for each row when (old.order_id is not null) execute function order_change_append('parcel');
create trigger appends_change after update on parcels for each row when (
  new.order_id is not null and (new.status, new.courier_id, new.submit_at is null, new.printed_at is null)
    is distinct from (old.status, old.courier_id, old.submit_at is null, old.printed_at is null)
) execute function order_change_append('parcel');
