-- Endpoints, events and notices of webhooks are keyed by their project first. An endpoint without a store was one of the project; the
-- audience says it now. The dispatcher and jobs name endpoints and notices by their ids alone.
alter table webhook_endpoints add column audience text;
update webhook_endpoints set audience = case when store_id is null then 'project' else 'store' end;
alter table webhook_endpoints alter column audience set not null,
  add constraint webhook_endpoints_audience_check check (audience in ('project', 'store')),
  drop constraint webhook_endpoints_pkey, add constraint webhook_endpoints_pkey primary key (project_id, id);
alter table webhook_endpoints drop column store_id;
drop index webhook_endpoints_project_id_id_idx;
create index webhook_endpoints_id_idx on webhook_endpoints (id);

-- Nothing reads the store of an event: its project leads to it.
alter table events drop column store_id;

alter table webhook_notices drop constraint webhook_notices_pkey, add constraint webhook_notices_pkey primary key (project_id, id);
drop index webhook_notices_project_id_id_idx;
create index webhook_notices_id_idx on webhook_notices (id);
