-- Durations that triggers read. Features declare them, and each process writes them when it starts.
create table trigger_settings (
  name text primary key,
  value interval not null
);
insert into trigger_settings values ('confirmation.headStart', '30 minutes'), ('confirmation.pauseAfterCall', '1 hour');

create function trigger_setting(setting text) returns interval language sql stable as $$
  select value from trigger_settings where name = setting
$$;

-- The queue follows the status of orders, whichever statement changes it.
create or replace function confirmation_follow() returns trigger language plpgsql as $$
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
end $$;
