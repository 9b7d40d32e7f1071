-- Files are keyed by their project first. The files of a store and those of its project are counted apart, which the owner says now; a file
-- of a user has the empty project id. An address of a file names it by its id alone, and so does the key of its bytes.
alter table ai_task_files drop constraint ai_task_files_file_id_fkey;
alter table files drop constraint files_project_id_fkey, drop constraint files_owner, add column owner text;
update files set owner = case when store_id is not null then 'store' when user_id is not null then 'user' else 'project' end,
  project_id = coalesce('prj_' || substr(store_id, 5), project_id, '');
alter table files alter column project_id set not null, alter column owner set not null,
  add constraint files_owner_check check (owner in ('store', 'project', 'user')),
  add constraint files_owned check ((owner = 'user') = (user_id is not null) and (owner = 'user') = (project_id = '')),
  drop constraint files_pkey, add constraint files_pkey primary key (project_id, id),
  drop constraint files_key_key;
drop index files_of_project;
alter table files drop column store_id;
create index files_id_idx on files (id);
create index files_of_project on files (project_id, owner, id) include (bytes) where owner <> 'user';

drop index ai_task_files_file_id_idx;
create index ai_task_files_project_id_file_id_idx on ai_task_files (project_id, file_id);
alter table ai_task_files
  add constraint ai_task_files_project_id_file_id_fkey foreign key (project_id, file_id) references files(project_id, id) on delete cascade;
