-- Spreadsheets that receive orders: targets and rows are keyed by their project. Leases stay keyed by the file at the outside platform,
-- which several projects may write.

select key_by_project('sheet_targets', 'sheet_rows');

alter table sheet_targets drop constraint sheet_targets_pkey, add constraint sheet_targets_pkey primary key (project_id, connection_id);
drop index sheet_targets_project_id_idx;
alter table sheet_rows drop constraint sheet_rows_pkey, add constraint sheet_rows_pkey primary key (project_id, connection_id, order_id);
drop index sheet_rows_waiting;
create index sheet_rows_waiting on sheet_rows (project_id, connection_id, order_id) where (wanted > written) and (stands <> 'gone');

create or replace function sheets_mark()
 returns trigger
 language plpgsql
as $function$
begin
  insert into sheet_rows (project_id, connection_id, order_id)
  select t.project_id, t.connection_id, new.id from sheet_targets t
  where t.project_id = 'prj_' || substr(new.store_id, 5) and (
    exists (select 1 from sheet_rows r where r.project_id = t.project_id and r.connection_id = t.connection_id and r.order_id = new.id)
    or (new.created_at >= t.since and new.deleted_at is null and (t.statuses is null or new.status = any (t.statuses))))
  on conflict (project_id, connection_id, order_id) do update set wanted = sheet_rows.wanted + 1;
  return null;
end $function$;
