-- Work that projects have models do, and what they paid for it.

-- What a project has in a currency: what it may still spend, and what is held for work that is not over.
create table ai_accounts (
  project_id text not null references projects,
  currency text not null,
  available numeric(38,18) not null default 0 check (available >= 0),
  held numeric(38,18) not null default 0 check (held >= 0),
  primary key (project_id, currency)
);

create table ai_tasks (
  project_id text not null references projects,
  id text collate "C" primary key,
  state text not null check (state in ('queued', 'running', 'completed', 'failed', 'cancelled', 'reconciliation_required')),
  -- As it was asked for: the adapter and the model, and what the model is to give.
  model text not null,
  -- Which it was of the platform's, for whoever has to ask what became of it.
  connection_id text collate "C" not null,
  gives text not null check (gives in ('text', 'image', 'speech')),
  -- Null once they were deleted.
  input jsonb,
  result jsonb,
  metadata jsonb not null default '{}',
  currency text not null,
  max_cost numeric(38,18) check (max_cost >= 0),
  -- Held before the work.
  hold numeric(38,18) not null check (hold >= 0),
  -- What the other side says that it came to, and what the project paid of it.
  cost numeric(38,18),
  charged numeric(38,18),
  usage jsonb,
  -- What the other side calls it, as soon as that is known.
  generation text,
  -- Committed before the other side is asked: whoever finds it there does not ask again.
  sent_at timestamptz,
  cancel_asked_at timestamptz,
  attempts integer not null default 0,
  looks integer not null default 0,
  -- Why it failed, or waits for a person.
  reason text,
  message text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ended_at timestamptz,
  foreign key (project_id, currency) references ai_accounts,
  check ((state in ('completed', 'failed', 'cancelled')) = (ended_at is not null)),
  check ((state in ('completed', 'failed', 'cancelled')) = (charged is not null))
);
create index on ai_tasks (project_id, id);
create index on ai_tasks (project_id, state, id);
create index on ai_tasks (project_id, model, id);
create index on ai_tasks (project_id, currency);
create index ai_tasks_doubtful on ai_tasks (id) where state = 'reconciliation_required';
create index ai_tasks_kept on ai_tasks (ended_at) where input is not null and ended_at is not null;

-- The ledger. An entry moves money between four accounts of a project, and moves none from nowhere: its amounts come to zero.
--   source: what came in (negative) · available: may be spent · held: for work that is not over · spent: what work cost
create table ai_entries (
  project_id text not null references projects,
  id bigint not null generated always as identity,
  currency text not null,
  kind text not null check (kind in ('credit', 'hold', 'settlement')),
  task_id text collate "C" references ai_tasks,
  source numeric(38,18) not null default 0,
  available numeric(38,18) not null default 0,
  held numeric(38,18) not null default 0,
  spent numeric(38,18) not null default 0,
  note text not null default '',
  at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, currency) references ai_accounts,
  constraint ai_entries_balanced check (source + available + held + spent = 0),
  check ((kind = 'credit') = (task_id is null))
);
-- Money is held once for a task, and settled once.
create unique index ai_entries_once on ai_entries (task_id, kind) where task_id is not null;
create index on ai_entries (project_id, currency, id);
create trigger final before update or delete or truncate on ai_entries for each statement execute function cash_refuse_change();

-- What was made for a project as a whole is a file of its own.
alter table files add column project_id text references projects;
do $$
declare found text;
begin
  select conname into strict found from pg_constraint
  where conrelid = 'files'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%store_id%user_id%';
  execute format('alter table files drop constraint %I', found);
end
$$;
alter table files add constraint files_owner check (num_nonnulls(store_id, user_id, project_id) = 1);
create index files_of_project on files (project_id, id) include (bytes) where project_id is not null;
-- Which task a file came of.
create table ai_task_files (
  project_id text not null references projects,
  task_id text collate "C" not null references ai_tasks,
  file_id text collate "C" not null references files on delete cascade,
  primary key (task_id, file_id)
);
create index on ai_task_files (project_id);
create index on ai_task_files (file_id);
