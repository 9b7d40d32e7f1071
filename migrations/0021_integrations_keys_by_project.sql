-- Connections are keyed by their project. Those of the platform, which has none, have an empty one.

alter table integrations drop constraint integrations_store_id_fkey, drop constraint integrations_owned;
select key_by_project('integrations');
alter table integrations add constraint integrations_owned check ((owner = 'platform') = (project_id = ''));
comment on table integrations is 'Connection of a project, or of the platform, to an adapter, with sealed credentials and its state. The platform has the empty project id.';

drop index integrations_key;
create unique index integrations_key on integrations (project_id, key, name) where deleted_at is null;
-- Rows of a connection refer to it by its project and its id.
drop index integrations_project_id_id_idx;
create unique index integrations_project_id_id on integrations (project_id, id);
