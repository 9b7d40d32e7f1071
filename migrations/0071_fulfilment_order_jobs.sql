-- Actions on many orders that run in the background.

create table order_jobs (
  project_id text collate "C" not null,
  id text collate "C" not null,
  status text not null default 'waiting',
  -- What is done to each order, as it was asked for.
  action jsonb not null,
  total integer not null,
  -- Actor that asked for it: {kind, id, appId, adminId}. Its id again for the list of one caller's jobs.
  made_by jsonb,
  made_by_id text collate "C" not null default '',
  -- Member whose right is checked again while it runs; null for API keys and administrators of the platform.
  member_id text collate "C",
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  constraint order_jobs_pkey primary key (project_id, id),
  constraint order_jobs_project_id_fkey foreign key (project_id) references projects(id) on delete cascade,
  constraint order_jobs_status_check check (status in ('waiting', 'processing', 'completed', 'cancelled'))
);
comment on table order_jobs is 'Action on many orders that runs in the background.';
create index order_jobs_id on order_jobs (id);
create index order_jobs_made_by on order_jobs (project_id, made_by_id, id);
create index order_jobs_open on order_jobs (project_id) where status in ('waiting', 'processing');
create index order_jobs_over on order_jobs (completed_at) where completed_at is not null;

create table order_job_rows (
  project_id text collate "C" not null,
  job_id text collate "C" not null,
  row integer not null,
  order_id text collate "C" not null,
  status text not null default 'waiting',
  -- Status of the order when the job was asked for. A change is refused if another person changed it since.
  seen_status text,
  -- Agent that it is assigned to, for that action.
  user_id text collate "C",
  parcel_id text collate "C",
  error jsonb,
  constraint order_job_rows_pkey primary key (project_id, job_id, row),
  constraint order_job_rows_job_fkey foreign key (project_id, job_id) references order_jobs(project_id, id) on delete cascade,
  constraint order_job_rows_status_check check (status in ('waiting', 'done', 'unchanged', 'pending', 'failed', 'cancelled'))
);
comment on table order_job_rows is 'Order of a job with what came of it.';
create index order_job_rows_status on order_job_rows (project_id, job_id, status, row);

create table order_job_files (
  project_id text collate "C" not null,
  job_id text collate "C" not null,
  -- First row whose label it has; 0 is the whole document.
  part integer not null,
  pdf bytea not null,
  created_at timestamptz not null default now(),
  constraint order_job_files_pkey primary key (project_id, job_id, part),
  constraint order_job_files_job_fkey foreign key (project_id, job_id) references order_jobs(project_id, id) on delete cascade
);
comment on table order_job_files is 'Labels that a job printed. Deleted a day later.';
create index order_job_files_created on order_job_files (created_at);
