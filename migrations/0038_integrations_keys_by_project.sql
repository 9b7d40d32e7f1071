-- Connections are keyed by their project first. Jobs, and pages that a browser returns to, name one by its id alone.
alter table integrations alter column project_id set not null, drop constraint integrations_pkey;
alter index integrations_project_id_id rename to integrations_pkey;
alter table integrations add constraint integrations_pkey primary key using index integrations_pkey;
create index integrations_id_idx on integrations (id);
