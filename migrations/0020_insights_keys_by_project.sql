-- Figures and views are keyed by their project.

select key_by_project('analytics_marks', 'analytics_days', 'analytics_cells', 'store_views', 'store_landing_pages');

create or replace function analytics_mark()
 returns trigger
 language plpgsql
as $function$
begin
  insert into analytics_marks values ('prj_' || substr(new.store_id, 5), new.created_at);
  return null;
end $function$;

create or replace function analytics_mark_of(whose text, which text)
 returns void
 language sql
as $function$
  insert into analytics_marks select 'prj_' || substr(store_id, 5), created_at from orders where id = which and store_id = whose
$function$;

create or replace function analytics_mark_parcel()
 returns trigger
 language plpgsql
as $function$
begin
  insert into analytics_marks select 'prj_' || substr(store_id, 5), created_at from orders where id = new.order_id;
  return null;
end $function$;

comment on table store_landing_pages is 'Landing page that views were reported for. Strangers cannot report more of them than a project may have.';
