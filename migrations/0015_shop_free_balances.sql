-- Shop: free balances of an item, read through their index.

create function free_balances(wanted_project text, wanted_namespace text, wanted_key text, most integer)
 returns setof inventory_balances
 language plpgsql
 stable
 -- An index scan stops at the oldest batches that are needed. A bitmap scan reads all batches of the item.
 set enable_bitmapscan = off
 rows 1
as $function$
begin
  return query select * from inventory_balances b
    where b.project_id = wanted_project and b.namespace = wanted_namespace and b.key = wanted_key and b.has_free
    order by b.created_at, b.batch limit most;
end $function$;
comment on function free_balances is 'Balances of an item with free stock, oldest batch first.';

-- A function in PL/pgSQL keeps its plan; one in SQL is planned at each call.
create or replace function trigger_setting(setting text)
 returns interval
 language plpgsql
 stable
as $function$
begin
  return (select value from trigger_settings where name = setting);
end $function$;
