-- Tasks of models, skills, generated pages, catalogues and proxied hosts are keyed by their project.

alter table ai_entries drop constraint ai_entries_task_id_fkey;
alter table ai_task_files drop constraint ai_task_files_task_id_fkey;
alter table ai_tasks drop constraint ai_tasks_pkey, add constraint ai_tasks_pkey primary key (project_id, id);
drop index ai_tasks_project_id_id_idx;
-- Jobs and administrators name a task by its id alone.
create index ai_tasks_id_idx on ai_tasks (id);
alter table ai_entries add constraint ai_entries_task_id_fkey foreign key (project_id, task_id) references ai_tasks (project_id, id);
drop index ai_entries_once;
create unique index ai_entries_once on ai_entries (project_id, task_id, kind) where task_id is not null;
alter table ai_task_files drop constraint ai_task_files_pkey,
  add constraint ai_task_files_pkey primary key (project_id, task_id, file_id),
  add constraint ai_task_files_task_id_fkey foreign key (project_id, task_id) references ai_tasks (project_id, id);
drop index ai_task_files_project_id_idx;

select key_by_project('catalog_feeds', 'proxy_hosts', 'landing_jobs', 'chat_skills', 'chat_skill_versions');

alter table landing_jobs drop constraint landing_jobs_pkey, add constraint landing_jobs_pkey primary key (project_id, id);
-- Jobs name the row by its id alone.
create index landing_jobs_id_idx on landing_jobs (id);
drop index landing_jobs_page_id_idx;
create index landing_jobs_project_id_page_id_idx on landing_jobs (project_id, page_id) where page_id is not null;

alter table chat_skill_versions drop constraint chat_skill_versions_skill_id_fkey;
alter table chat_skills drop constraint chat_skills_pkey, add constraint chat_skills_pkey primary key (project_id, id);
alter table chat_skill_versions drop constraint chat_skill_versions_pkey,
  add constraint chat_skill_versions_pkey primary key (project_id, skill_id, version),
  add constraint chat_skill_versions_skill_id_fkey foreign key (project_id, skill_id) references chat_skills (project_id, id) on delete cascade;
drop index chat_skill_versions_project_id_idx;
-- Requests name a skill by its id alone; the marketplace lists those of all projects.
alter index chat_skills_id_idx rename to chat_skills_published;
create index chat_skills_id_idx on chat_skills (id);

comment on table catalog_feeds is 'Link to a projects catalogue for an ad platform. A new one replaces the one before.';
comment on table proxy_hosts is 'Hosts that the pages of a project may call through the server.';
