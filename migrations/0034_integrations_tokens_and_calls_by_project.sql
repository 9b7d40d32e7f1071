-- Tokens, started sign-ins and noted calls of a connection are keyed by its project first. A call without a connection belongs to the platform.

alter table oauth_tokens add column project_id text;
update oauth_tokens t set project_id = i.project_id from integrations i where i.id = t.connection_id;
alter table oauth_tokens alter column project_id set not null,
  drop constraint oauth_tokens_pkey, add constraint oauth_tokens_pkey primary key (project_id, connection_id),
  drop constraint oauth_tokens_connection_id_fkey,
  add constraint oauth_tokens_project_id_connection_id_fkey foreign key (project_id, connection_id) references integrations(project_id, id);

alter table oauth_states add column project_id text;
update oauth_states t set project_id = i.project_id from integrations i where i.id = t.connection_id;
alter table oauth_states alter column project_id set not null,
  drop constraint oauth_states_connection_id_fkey,
  add constraint oauth_states_project_id_connection_id_fkey foreign key (project_id, connection_id) references integrations(project_id, id);

alter table carrier_calls add column project_id text not null default '';
update carrier_calls t set project_id = i.project_id from integrations i where i.id = t.connection_id;
alter table carrier_calls alter column project_id drop default;
drop index carrier_calls_account;
create index carrier_calls_account on carrier_calls (project_id, connection_id, at desc);
