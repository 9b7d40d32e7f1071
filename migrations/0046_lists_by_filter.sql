-- A list that is filtered and sorted reads its page off one index. By the index of the sort alone it reads past all that the filter leaves out,
-- which is nearly everything where the two go together: what is on its way is among the newest, and an account that is no longer used among
-- the oldest. No statistics tell that.
create index parcels_status_updated on parcels (project_id, status, updated_at, id);
create index parcels_of_account on parcels (project_id, carrier_account_id, id);
create index parcels_of_account_updated on parcels (project_id, carrier_account_id, updated_at, id);
-- All projects' parcels of a phone are counted; the list of one project's goes on by id.
drop index parcels_phone;
create index parcels_phone on parcels ((recipient->>'phone'), project_id, id);

-- All who look for a parcel know whose it is, so that one index does for numbers, and none is needed for ids alone.
drop index parcels_id, parcels_tracking, parcels_tracking_id;
create unique index parcels_tracking on parcels (project_id, tracking_id, carrier_account_id) where tracking_id is not null;

create index orders_status_updated on orders (store_id, status, updated_at, id) where deleted_at is null;
create index orders_assigned_updated on orders (store_id, assigned_to, updated_at, id) where assigned_to is not null and deleted_at is null;
create index orders_promo_updated on orders (store_id, promo_code, updated_at, id) where promo_code is not null and deleted_at is null;
