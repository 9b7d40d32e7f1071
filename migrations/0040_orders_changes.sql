-- One trigger on orders appends what changed. Background work reads it in batches, in place of a trigger for each reader.

create table order_changes (
  project_id text not null,
  order_id text collate "C" not null,
  id bigint generated always as identity,
  slot smallint not null,
  at timestamptz not null default now(),
  changed text[],
  from_status text,
  to_status text not null,
  is_deleted boolean not null default false,
  failures smallint not null default 0,
  due_at timestamptz not null default '-infinity',
  primary key (project_id, order_id, id)
);
comment on table order_changes is 'Change of an order that has not reached the readers of changes yet: queue, figures, spreadsheets, shops and ads.';
comment on column order_changes.id is 'Ascends within one order. Rows of several orders may become visible in another order than that of their ids.';
comment on column order_changes.slot is 'Share of the work: one process at a time reads the changes of a slot. All changes of a project are in one.';
comment on column order_changes.changed is 'Names of the columns that changed; null for a new order.';
comment on column order_changes.is_deleted is 'True if the order is deleted after the change.';
comment on column order_changes.due_at is 'Time before which it is not tried again, after a failure.';
create index order_changes_slot on order_changes (slot, id);
-- Rows live for less than a second, so that the table is small and full of dead rows.
alter table order_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);

create function order_change_record() returns trigger
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

drop trigger ads_new on orders;
drop trigger ads_moved on orders;
drop trigger confirms_new on orders;
drop trigger confirms_change on orders;
drop trigger connectors_moved on orders;
drop trigger marks_new on orders;
drop trigger marks_change on orders;
drop trigger marks_exchanged on orders;
drop trigger sheets_new on orders;
drop trigger sheets_change on orders;
drop function ads_follow();
drop function confirmation_follow();
drop function connectors_mark_moved();
drop function analytics_mark();
drop function analytics_mark_exchanged();
drop function sheets_mark();
create trigger records_change after insert or update on orders for each row execute function order_change_record();

-- The queue's durations are parameters of its statements.
drop function trigger_setting(text);
drop table trigger_settings;
