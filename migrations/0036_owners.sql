-- Each row of the large tables is reached by its owner, a project or a store, and what is unique is so among his: no index goes over all
-- owners' rows, so that a table can be distributed by them. Ids are of chance enough to be one's own.
drop index parcels_id;
create index parcels_id on parcels (id);
drop index parcels_tracking;
create unique index parcels_tracking on parcels (carrier_account_id, tracking_id, project_id) where tracking_id is not null;
-- An order's parcels are all of its store's project.
drop index parcels_live_of_order;
create unique index parcels_live_of_order on parcels (order_id, project_id) where order_id is not null and status <> 'cancelled';

drop index orders_id;
create index orders_id on orders (id);
drop index products_id;
create index products_id on products (id);

drop index cash_entries_paid_once;
create unique index cash_entries_paid_once on cash_entries (payment_id, kind, coalesce(refund_id, ''), project_id) where stands and payment_id is not null;
