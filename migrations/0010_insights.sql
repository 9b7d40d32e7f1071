-- Insights: figures about orders, kept up to date by marks.

create table analytics_marks (
  store_id text collate "C" not null,
  at timestamptz not null
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0);
comment on table analytics_marks is 'Order whose figures may have changed, by the time it was created. The day of a mark is counted anew by the next reader.';
create index analytics_marks_store_id_at_idx on analytics_marks (store_id, at);

create table analytics_days (
  store_id text collate "C" not null,
  day date not null,
  time_zone text not null,
  constraint analytics_days_pkey primary key (store_id, day)
);
comment on table analytics_days is 'Day of a store that is counted, and the time zone it was counted in.';

create table analytics_cells (
  store_id text collate "C" not null,
  dimension text not null,
  day date not null,
  key text collate "C" not null,
  status text not null,
  orders integer not null,
  units bigint not null,
  goods numeric not null,
  delivery numeric not null,
  discount numeric not null,
  total numeric not null,
  paid numeric not null,
  cost numeric not null,
  units_without_cost bigint not null,
  exchanges integer not null,
  kept numeric not null,
  kept_delivery numeric not null,
  returned numeric not null,
  to_come numeric not null,
  constraint analytics_cells_pkey primary key (store_id, dimension, day, key, status)
);
comment on table analytics_cells is 'Figures of a days orders by status: of all orders, and of each value of a dimension.';
create index analytics_cells_of_key on analytics_cells (store_id, dimension, key, day);

create table store_views (
  store_id text collate "C" not null,
  dimension text not null,
  key text collate "C" not null,
  at timestamptz not null,
  views bigint not null,
  constraint store_views_pkey primary key (store_id, dimension, key, at),
  constraint store_views_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint store_views_dimension_check check (dimension in ('store', 'productId', 'landingPageId'))
) with (fillfactor=80, autovacuum_vacuum_scale_factor=0.05);
comment on table store_views is 'Views of a store, a product or a landing page within a quarter of an hour.';
create index store_views_at on store_views (at);

create table store_landing_pages (
  store_id text collate "C" not null,
  id text collate "C" not null,
  constraint store_landing_pages_pkey primary key (store_id, id),
  constraint store_landing_pages_store_id_fkey foreign key (store_id) references stores(id) on delete cascade
);
comment on table store_landing_pages is 'Landing page that views were reported for. Strangers cannot report more of them than a store may have.';

create function analytics_mark()
 returns trigger
 language plpgsql
as $function$
begin
  insert into analytics_marks values (new.store_id, new.created_at);
  return null;
end $function$;

create trigger marks_change after update on orders for each row when ((((((((((old.status is distinct from new.status) or (old.version is distinct from new.version)) or (old.total is distinct from new.total)) or (old.paid is distinct from new.paid)) or (old.payment_status is distinct from new.payment_status)) or (old.assigned_to is distinct from new.assigned_to)) or (old.deleted_at is distinct from new.deleted_at)) or (old.promo_code is distinct from new.promo_code)) or (old.metadata is distinct from new.metadata))) execute function analytics_mark();

create function analytics_mark_of(whose text, which text)
 returns void
 language sql
as $function$
  insert into analytics_marks select store_id, created_at from orders where id = which and store_id = whose
$function$;

create function analytics_mark_exchanged()
 returns trigger
 language plpgsql
as $function$
begin
  perform analytics_mark_of(new.store_id, new.exchange_of);
  return null;
end $function$;

create trigger marks_exchanged after update on orders for each row when (((new.exchange_of is not null) and (((old.status is distinct from new.status) or (old.discount is distinct from new.discount)) or (old.deleted_at is distinct from new.deleted_at)))) execute function analytics_mark_exchanged();

create trigger marks_new after insert on orders for each row execute function analytics_mark();

create function analytics_mark_parcel()
 returns trigger
 language plpgsql
as $function$
begin
  insert into analytics_marks select store_id, created_at from orders where id = new.order_id;
  return null;
end $function$;

create trigger marks_parcel after update of status on parcels for each row when (((new.part_id is not null) and (new.status is distinct from old.status))) execute function analytics_mark_parcel();

create function analytics_mark_order()
 returns trigger
 language plpgsql
as $function$
begin
  perform analytics_mark_of(new.store_id, new.order_id);
  return null;
end $function$;

create trigger marks_part after insert or update on order_parts for each row execute function analytics_mark_order();

create trigger marks_part_line after update on order_part_lines for each row execute function analytics_mark_order();

create trigger marks_return after insert or update on order_returns for each row execute function analytics_mark_order();
