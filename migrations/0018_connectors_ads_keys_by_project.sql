-- Ads: accounts, spend, links, rules and events are keyed by their project.

select key_by_project('ads_accounts', 'ads_links', 'ads_rules', 'ads_events');

alter table ads_spend add column project_id text;
-- The spend of a connection is deleted with it; that of an account which is no longer linked stays.
update ads_spend s set project_id = 'prj_' || substr(i.store_id, 5) from integrations i where i.id = s.connection_id;
delete from ads_spend where project_id is null;
alter table ads_spend alter column project_id set not null;

alter table ads_accounts drop constraint ads_accounts_pkey, add constraint ads_accounts_pkey primary key (project_id, connection_id, id);
alter table ads_spend drop constraint ads_spend_pkey, add constraint ads_spend_pkey primary key (project_id, connection_id, account_id, day, ad_id);
alter table ads_links drop constraint ads_links_pkey, add constraint ads_links_pkey primary key (project_id, id);
alter table ads_links drop constraint ads_links_connection_id_level_external_id_key,
  add constraint ads_links_connection_id_level_external_id_key unique (project_id, connection_id, level, external_id);
alter table ads_rules drop constraint ads_rules_pkey, add constraint ads_rules_pkey primary key (project_id, id);
alter table ads_rules drop constraint ads_rules_connection_id_status_event_pixel_id_key,
  add constraint ads_rules_connection_id_status_event_pixel_id_key unique (project_id, connection_id, status, event, pixel_id);
alter table ads_events drop constraint ads_events_pkey,
  add constraint ads_events_pkey primary key (project_id, connection_id, order_id, event, pixel_id);

drop index ads_links_connection_id_id_idx;
create index ads_links_of_connection on ads_links (project_id, connection_id, id);
drop index ads_events_connection_id_due_at_idx;
create index ads_events_of_connection_due on ads_events (project_id, connection_id, due_at) where state = 'waiting';

create or replace function ads_follow()
 returns trigger
 language plpgsql
as $function$
begin
  insert into ads_events (connection_id, order_id, event, pixel_id, project_id, with_value)
  select r.connection_id, new.id, r.event, r.pixel_id, r.project_id, r.with_value
  from ads_rules r where r.project_id = 'prj_' || substr(new.store_id, 5) and r.status = new.status
  on conflict do nothing;
  return null;
end $function$;
