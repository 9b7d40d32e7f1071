-- A job that an app asked for ends with the grant of the app. Jobs of before have none, and go on.

alter table order_jobs drop column member_id;
alter table order_jobs add column grant_id text collate "C";
comment on column order_jobs.grant_id is 'Grant of the app that asked for the job; null for sessions and API keys.';

-- An erasure looks for the rows of a person's orders.
create index order_job_rows_order on order_job_rows (project_id, order_id);
