-- Rows of a connection are keyed by its project first. Those of the platform have its empty project id.

alter table adapter_storage add column project_id text;
update adapter_storage r set project_id = i.project_id from integrations i where i.id = r.connection_id;
delete from adapter_storage where project_id is null;
alter table adapter_storage alter column project_id set not null,
  drop constraint adapter_storage_pkey, add constraint adapter_storage_pkey primary key (project_id, connection_id, key);

alter table carrier_places add column project_id text;
update carrier_places r set project_id = i.project_id from integrations i where i.id = r.connection_id;
delete from carrier_places where project_id is null;
alter table carrier_places alter column project_id set not null,
  drop constraint carrier_places_pkey, add constraint carrier_places_pkey primary key (project_id, connection_id);

alter table status_rules add column project_id text;
update status_rules r set project_id = i.project_id from integrations i where i.id = r.connection_id;
delete from status_rules where project_id is null;
alter table status_rules alter column project_id set not null,
  drop constraint status_rules_pkey, add constraint status_rules_pkey primary key (project_id, connection_id, folded);

alter table unknown_statuses add column project_id text;
update unknown_statuses r set project_id = i.project_id from integrations i where i.id = r.connection_id;
delete from unknown_statuses where project_id is null;
alter table unknown_statuses alter column project_id set not null,
  drop constraint unknown_statuses_pkey, add constraint unknown_statuses_pkey primary key (project_id, connection_id, raw);

alter table pickups add column project_id text;
update pickups r set project_id = i.project_id from integrations i where i.id = r.connection_id;
alter table pickups alter column project_id set not null,
  drop constraint pickups_pkey, add constraint pickups_pkey primary key (project_id, connection_id, center_id),
  drop constraint pickups_connection_id_fkey,
  add constraint pickups_project_id_connection_id_fkey foreign key (project_id, connection_id) references integrations(project_id, id);

alter table pickup_sources add column project_id text;
update pickup_sources r set project_id = i.project_id from integrations i where i.id = r.connection_id;
alter table pickup_sources alter column project_id set not null,
  drop constraint pickup_sources_pkey, add constraint pickup_sources_pkey primary key (project_id, connection_id),
  drop constraint pickup_sources_connection_id_fkey,
  add constraint pickup_sources_project_id_connection_id_fkey foreign key (project_id, connection_id) references integrations(project_id, id);

alter table carrier_traces drop constraint carrier_traces_pkey, add constraint carrier_traces_pkey primary key (project_id, connection_id, id);
drop index carrier_traces_project;
