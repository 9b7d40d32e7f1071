-- Lists read filters and sorts from a table of their own, which background work keeps, so that a write of an order maintains few indexes.

drop index orders_assigned_updated, orders_connector, orders_counted, orders_external, orders_payment, orders_payment_updated, orders_promo,
  orders_promo_updated, orders_public_phone, orders_search_text, orders_source, orders_source_updated, orders_state, orders_state_updated,
  orders_status_updated, orders_total, orders_unassigned, orders_unassigned_updated, orders_updated;
-- Most changes touch no indexed column now, and need no index entry where the page has room for the new version of the row.
alter table orders set (fillfactor = 85);

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
  total numeric(19,4) not null,
  search_text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id)
);
comment on table order_search is 'Order as lists filter, sort and search it. Background work copies changed orders; lists read those that still wait for it from orders.';
comment on column order_search.id is 'Id of the order. No reference: a key would lock the order for each copy.';
comment on column order_search.promo_code is 'In lower case.';
comment on column order_search.state_code is 'State of the destination, by code, or as it was typed.';
comment on column order_search.current_state_code is 'State that the place belongs to since new borders.';

insert into order_search
select project_id, id, reference, status, assigned_to, lower(promo_code), source, connector_id, external_id, payment_status, destination ->> 'stateCode',
  destination ->> 'currentStateCode', destination ->> 'cityCode', total, search_text, created_at, updated_at
from orders where deleted_at is null;

create index order_search_assigned on order_search (project_id, assigned_to, id) where assigned_to is not null;
create index order_search_assigned_updated on order_search (project_id, assigned_to, updated_at, id) where assigned_to is not null;
create index order_search_connector on order_search (project_id, connector_id, id) where connector_id is not null;
create index order_search_external on order_search (project_id, external_id, id) where external_id is not null;
create index order_search_payment on order_search (project_id, payment_status, id);
create index order_search_payment_updated on order_search (project_id, payment_status, updated_at, id);
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
