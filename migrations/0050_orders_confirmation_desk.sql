-- Confirmation desk: an outcome can be undone for a moment, agents see their own day, and a store has a list of reasons.

alter table confirmation_calls
  add column reason_code text,
  add column from_status text,
  add column attempts_before integer,
  add column due_before timestamptz;
comment on column confirmation_calls.reason_code is 'Code of the reason in the list that the store had then.';
comment on column confirmation_calls.from_status is 'Status of the order before the call. Null for calls older than this column.';
comment on column confirmation_calls.attempts_before is 'Calls without a decision before this one.';
comment on column confirmation_calls.due_before is 'Time at which the call was due.';
create index confirmation_calls_project_id_agent_id_created_at_idx on confirmation_calls (project_id, agent_id, created_at);

create table confirmation_reasons (
  project_id text collate "C" not null,
  reasons jsonb not null,
  updated_at timestamptz not null default now(),
  constraint confirmation_reasons_pkey primary key (project_id),
  constraint confirmation_reasons_project_id_fkey foreign key (project_id) references projects(id) on delete cascade
);
comment on table confirmation_reasons is 'Reasons that a store offers its agents for the outcome of a call, in their order. A store without a row has the standard ones.';
