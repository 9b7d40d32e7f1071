-- Assistant: chats, tools, tasks of models, and generated pages.

create table chat_conversations (
  store_id text not null,
  id text collate "C" not null,
  user_id text not null,
  title text not null default '',
  -- Model that answers; null for the first available.
  model text,
  path text,
  -- Last message of the branch that is shown.
  leaf_id text collate "C",
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint chat_conversations_pkey primary key (id),
  constraint chat_conversations_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint chat_conversations_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table chat_conversations is 'Conversation of a user with the assistant in a store.';
create index chat_conversations_store_id_user_id_id_idx on chat_conversations (store_id, user_id, id);
create index chat_conversations_user_id_idx on chat_conversations (user_id);

create table chat_messages (
  store_id text not null,
  id text collate "C" not null,
  conversation_id text collate "C" not null,
  parent_id text collate "C",
  role text not null,
  text text not null,
  tool_calls jsonb,
  call_id text,
  tool text,
  failed boolean not null default false,
  proposal_id text,
  covers_id text collate "C",
  generation_id text collate "C",
  created_at timestamptz not null default now(),
  constraint chat_messages_pkey primary key (id),
  constraint chat_messages_conversation_id_fkey foreign key (conversation_id) references chat_conversations(id) on delete cascade,
  constraint chat_messages_parent_id_fkey foreign key (parent_id) references chat_messages(id) on delete cascade,
  constraint chat_messages_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint chat_messages_role_check check (role in ('user', 'assistant', 'tool', 'summary'))
);
comment on table chat_messages is 'Message of a conversation. They form a tree: an edit or a retry is a sibling.';
create index chat_messages_conversation_id_id_idx on chat_messages (conversation_id, id);
create index chat_messages_parent_id_idx on chat_messages (parent_id);
create index chat_messages_store_id_idx on chat_messages (store_id);

create table chat_generations (
  store_id text not null,
  id text collate "C" not null,
  conversation_id text collate "C" not null,
  user_id text not null,
  message_id text collate "C" not null,
  model text,
  state text not null default 'running',
  reason text,
  problem text,
  -- Process that works on it; null when none does.
  process bigint,
  attempts integer not null default 0,
  cancel_requested boolean not null default false,
  last_seq integer not null default 0,
  answer_id text collate "C",
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost numeric,
  currency text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint chat_generations_pkey primary key (id),
  constraint chat_generations_conversation_id_fkey foreign key (conversation_id) references chat_conversations(id) on delete cascade,
  constraint chat_generations_message_id_fkey foreign key (message_id) references chat_messages(id) on delete cascade,
  constraint chat_generations_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint chat_generations_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint chat_generations_state_check check (state in ('running', 'completed', 'failed', 'cancelled'))
);
comment on table chat_generations is 'Answer of a model that is being generated or has ended. It goes on while nobody listens.';
create index chat_generations_conversation_id_idx on chat_generations (conversation_id);
create index chat_generations_ended_at_idx on chat_generations (ended_at) where ended_at is not null;
create index chat_generations_id_idx on chat_generations (id) where state = 'running';
create index chat_generations_message_id_idx on chat_generations (message_id);
create unique index chat_generations_running on chat_generations (conversation_id) where state = 'running';
create index chat_generations_store_id_idx on chat_generations (store_id);
create index chat_generations_user_id_idx on chat_generations (user_id);

create table chat_generation_parts (
  store_id text not null,
  generation_id text collate "C" not null,
  seq integer not null,
  part jsonb not null,
  constraint chat_generation_parts_pkey primary key (generation_id, seq),
  constraint chat_generation_parts_generation_id_fkey foreign key (generation_id) references chat_generations(id) on delete cascade,
  constraint chat_generation_parts_store_id_fkey foreign key (store_id) references stores(id) on delete cascade
);
comment on table chat_generation_parts is 'Piece of an answer as it was streamed. Deleted some time after the answer has ended.';
create index chat_generation_parts_store_id_idx on chat_generation_parts (store_id);

create table chat_queue (
  store_id text not null,
  id text collate "C" not null,
  conversation_id text collate "C" not null,
  position integer not null,
  text text not null,
  created_at timestamptz not null default now(),
  constraint chat_queue_pkey primary key (id),
  constraint chat_queue_conversation_id_fkey foreign key (conversation_id) references chat_conversations(id) on delete cascade,
  constraint chat_queue_store_id_fkey foreign key (store_id) references stores(id) on delete cascade
);
comment on table chat_queue is 'Prompt that waits until the answer before it has ended.';
create index chat_queue_conversation_id_position_id_idx on chat_queue (conversation_id, "position", id);
create index chat_queue_store_id_idx on chat_queue (store_id);

create table chat_proposals (
  store_id text not null,
  id text collate "C" not null,
  user_id text not null,
  generation_id text collate "C" not null,
  tool text not null,
  thing text not null,
  arguments jsonb not null,
  before jsonb not null,
  after jsonb not null,
  state text not null default 'open',
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  result text,
  failed boolean,
  constraint chat_proposals_pkey primary key (id),
  constraint chat_proposals_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint chat_proposals_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint chat_proposals_state_check check (state in ('open', 'confirmed', 'rejected'))
);
comment on table chat_proposals is 'Change that the assistant proposes and a person accepts or rejects.';
create index chat_proposals_age on chat_proposals (coalesce(decided_at, created_at));
create index chat_proposals_generation_id_idx on chat_proposals (generation_id);
create index chat_proposals_store_id_idx on chat_proposals (store_id);
create index chat_proposals_user_id_idx on chat_proposals (user_id);

create table chat_rules (
  store_id text not null,
  id text collate "C" not null,
  user_id text,
  name text not null,
  text text not null,
  -- Globs of paths that the rule is for; empty for all.
  paths text[] not null default '{}',
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint chat_rules_pkey primary key (id),
  constraint chat_rules_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint chat_rules_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table chat_rules is 'Rule that the assistant follows: of one user, or of the whole store.';
create index chat_rules_store_id_id_idx on chat_rules (store_id, id);
create index chat_rules_user_id_idx on chat_rules (user_id) where user_id is not null;

create table chat_skills (
  store_id text not null,
  id text collate "C" not null,
  user_id text not null,
  name text not null,
  description text not null,
  version integer not null default 1,
  -- Version in the marketplace; null when it is not published.
  published_version integer,
  published_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint chat_skills_name unique (store_id, user_id, name),
  constraint chat_skills_pkey primary key (id),
  constraint chat_skills_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint chat_skills_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table chat_skills is 'Skill of the assistant: a text and files that it reads when needed.';
create index chat_skills_id_idx on chat_skills (id) where published_version is not null;
create index chat_skills_user_id_idx on chat_skills (user_id);

create table chat_skill_versions (
  store_id text not null,
  skill_id text collate "C" not null,
  version integer not null,
  name text not null,
  description text not null,
  content text not null,
  files jsonb not null,
  created_at timestamptz not null default now(),
  constraint chat_skill_versions_pkey primary key (skill_id, version),
  constraint chat_skill_versions_skill_id_fkey foreign key (skill_id) references chat_skills(id) on delete cascade,
  constraint chat_skill_versions_store_id_fkey foreign key (store_id) references stores(id) on delete cascade
);
comment on table chat_skill_versions is 'Version of a skill with its content and files.';
create index chat_skill_versions_store_id_idx on chat_skill_versions (store_id);

create table mcp_servers (
  store_id text not null,
  id text collate "C" not null,
  -- Set for a server of one user; null for all of the store.
  user_id text,
  name text not null,
  url text not null,
  auth text not null,
  enabled boolean not null default true,
  client_id text,
  protocol text,
  title text,
  problem text,
  reached_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint mcp_servers_pkey primary key (id),
  constraint mcp_servers_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint mcp_servers_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint mcp_servers_auth_check check (auth in ('none', 'headers', 'oauth'))
);
comment on table mcp_servers is 'MCP server whose tools the assistant may call.';
create index mcp_servers_store_id_id_idx on mcp_servers (store_id, id);
create index mcp_servers_user_id_idx on mcp_servers (user_id) where user_id is not null;

create table mcp_secrets (
  store_id text not null,
  id text collate "C" not null,
  server_id text collate "C" not null,
  kind text not null,
  user_id text,
  issuer text not null default '',
  sealed text not null,
  updated_at timestamptz not null default now(),
  renewing_by text,
  renewing_until timestamptz,
  constraint mcp_secrets_pkey primary key (id),
  constraint mcp_secrets_server_id_kind_user_id_issuer_key unique nulls not distinct (server_id, kind, user_id, issuer),
  constraint mcp_secrets_server_id_fkey foreign key (server_id) references mcp_servers(id) on delete cascade,
  constraint mcp_secrets_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint mcp_secrets_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint mcp_secrets_check check ((kind = 'tokens') = (user_id is not null)),
  constraint mcp_secrets_kind_check check (kind in ('headers', 'client', 'tokens'))
);
comment on table mcp_secrets is 'Sealed secret of an MCP server: its headers, an OAuth client, or the tokens of a user.';
create index mcp_secrets_store_id_idx on mcp_secrets (store_id);
create index mcp_secrets_user_id_idx on mcp_secrets (user_id) where user_id is not null;

create table mcp_sign_ins (
  store_id text not null,
  digest text not null,
  server_id text collate "C" not null,
  user_id text not null,
  sealed text not null,
  return_to text,
  expires_at timestamptz not null,
  constraint mcp_sign_ins_pkey primary key (digest),
  constraint mcp_sign_ins_server_id_fkey foreign key (server_id) references mcp_servers(id) on delete cascade,
  constraint mcp_sign_ins_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint mcp_sign_ins_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table mcp_sign_ins is 'Sign-in at an MCP server that was started and has not come back.';
create index mcp_sign_ins_expires_at_idx on mcp_sign_ins (expires_at);
create index mcp_sign_ins_server_id_idx on mcp_sign_ins (server_id);
create index mcp_sign_ins_store_id_idx on mcp_sign_ins (store_id);
create index mcp_sign_ins_user_id_idx on mcp_sign_ins (user_id);

create table ai_accounts (
  project_id text not null,
  currency text not null,
  available numeric(38,18) not null default 0,
  held numeric(38,18) not null default 0,
  constraint ai_accounts_pkey primary key (project_id, currency),
  constraint ai_accounts_project_id_fkey foreign key (project_id) references projects(id),
  constraint ai_accounts_available_check check (available >= 0),
  constraint ai_accounts_held_check check (held >= 0)
);
comment on table ai_accounts is 'Balance of a project in a currency: what is available, and what is held for unfinished tasks.';

create table ai_entries (
  project_id text not null,
  id bigint not null generated always as identity,
  currency text not null,
  kind text not null,
  task_id text collate "C",
  source numeric(38,18) not null default 0,
  available numeric(38,18) not null default 0,
  held numeric(38,18) not null default 0,
  spent numeric(38,18) not null default 0,
  note text not null default '',
  at timestamptz not null default now(),
  constraint ai_entries_pkey primary key (project_id, id),
  constraint ai_entries_project_id_currency_fkey foreign key (project_id, currency) references ai_accounts(project_id, currency),
  constraint ai_entries_project_id_fkey foreign key (project_id) references projects(id),
  constraint ai_entries_balanced check ((source + available + held + spent) = 0),
  constraint ai_entries_check check ((kind = 'credit') = (task_id is null)),
  constraint ai_entries_kind_check check (kind in ('credit', 'hold', 'settlement'))
);
comment on table ai_entries is 'Entry of a projects balance, which adds up to zero over four accounts: source (negative), available, held, spent. Never changes.';
create unique index ai_entries_once on ai_entries (task_id, kind) where task_id is not null;
create index ai_entries_project_id_currency_id_idx on ai_entries (project_id, currency, id);

create table ai_tasks (
  project_id text not null,
  id text collate "C" not null,
  state text not null,
  model text not null,
  connection_id text collate "C" not null,
  gives text not null,
  -- Null after it was deleted.
  input jsonb,
  result jsonb,
  metadata jsonb not null default '{}',
  currency text not null,
  max_cost numeric(38,18),
  -- Amount held before the work.
  hold numeric(38,18) not null,
  -- Cost that the provider reported.
  cost numeric(38,18),
  charged numeric(38,18),
  usage jsonb,
  -- Id of the work at the provider.
  generation text,
  sent_at timestamptz,
  cancel_asked_at timestamptz,
  attempts integer not null default 0,
  looks integer not null default 0,
  reason text,
  message text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint ai_tasks_pkey primary key (id),
  constraint ai_tasks_project_id_currency_fkey foreign key (project_id, currency) references ai_accounts(project_id, currency),
  constraint ai_tasks_project_id_fkey foreign key (project_id) references projects(id),
  constraint ai_tasks_check check ((state in ('completed', 'failed', 'cancelled')) = (ended_at is not null)),
  constraint ai_tasks_check1 check ((state in ('completed', 'failed', 'cancelled')) = (charged is not null)),
  constraint ai_tasks_gives_check check (gives in ('text', 'image', 'speech')),
  constraint ai_tasks_hold_check check (hold >= 0),
  constraint ai_tasks_max_cost_check check (max_cost >= 0),
  constraint ai_tasks_state_check check (state in ('queued', 'running', 'completed', 'failed', 'cancelled', 'reconciliation_required'))
);
comment on table ai_tasks is 'Task of a model: text, pictures, speech or transcription.';
create index ai_tasks_doubtful on ai_tasks (id) where state = 'reconciliation_required';
create index ai_tasks_kept on ai_tasks (ended_at) where (input is not null) and (ended_at is not null);
create index ai_tasks_project_id_currency_idx on ai_tasks (project_id, currency);
create index ai_tasks_project_id_id_idx on ai_tasks (project_id, id);
create index ai_tasks_project_id_model_id_idx on ai_tasks (project_id, model, id);
create index ai_tasks_project_id_state_id_idx on ai_tasks (project_id, state, id);
alter table ai_entries add constraint ai_entries_task_id_fkey foreign key (task_id) references ai_tasks(id);

create table ai_task_files (
  project_id text not null,
  task_id text collate "C" not null,
  file_id text collate "C" not null,
  constraint ai_task_files_pkey primary key (task_id, file_id),
  constraint ai_task_files_file_id_fkey foreign key (file_id) references files(id) on delete cascade,
  constraint ai_task_files_project_id_fkey foreign key (project_id) references projects(id),
  constraint ai_task_files_task_id_fkey foreign key (task_id) references ai_tasks(id)
);
comment on table ai_task_files is 'File that a task produced.';
create index ai_task_files_file_id_idx on ai_task_files (file_id);
create index ai_task_files_project_id_idx on ai_task_files (project_id);

create table templates (
  store_id text,
  id text collate "C" not null,
  name text not null,
  description text not null default '',
  category text not null default '',
  preview_url text,
  data jsonb not null default '{}',
  published boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint templates_pkey primary key (id),
  constraint templates_store_id_fkey foreign key (store_id) references stores(id)
);
comment on table templates is 'Template of a page. Without a store it is the platforms, for all stores.';
create index templates_store_id_category_id_idx on templates (store_id, category, id);
create index templates_store_id_id_idx on templates (store_id, id);
create index templates_store_id_name_id_idx on templates (store_id, name, id);
create index templates_store_id_updated_at_id_idx on templates (store_id, updated_at, id);
create index templates_words on templates using gin (folded(name) gin_trgm_ops);
alter table store_template_previews add constraint store_previews_template foreign key (template_id) references templates(id) on delete cascade;

create table landing_jobs (
  id text collate "C" not null,
  store_id text not null,
  kind text not null,
  status text not null default 'queued',
  product_id text not null,
  asked jsonb not null,
  -- Sections generated so far. Another process can continue.
  data jsonb,
  pictures text[] not null default '{}',
  page_id text,
  digest text,
  failure text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  constraint landing_jobs_pkey primary key (id),
  constraint landing_jobs_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint landing_jobs_check check ((finished_at is null) = (status in ('queued', 'running'))),
  constraint landing_jobs_kind_check check (kind in ('template', 'page', 'picture_page')),
  constraint landing_jobs_status_check check (status in ('queued', 'running', 'completed', 'failed'))
);
comment on table landing_jobs is 'Page or template that a model generates for a product, step by step.';
create index landing_jobs_page_id_idx on landing_jobs (page_id) where page_id is not null;
create index landing_jobs_store_id_idx on landing_jobs (store_id) where status in ('queued', 'running');

create table catalog_feeds (
  store_id text not null,
  platform text not null,
  -- SHA-256 of the token in the link.
  digest text not null,
  product_url text not null,
  by text not null,
  brand text not null,
  created_at timestamptz not null default now(),
  constraint catalog_feeds_digest_key unique (digest),
  constraint catalog_feeds_pkey primary key (store_id, platform),
  constraint catalog_feeds_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint catalog_feeds_by_check check (by in ('product', 'variant')),
  constraint catalog_feeds_platform_check check (platform in ('meta', 'google', 'tiktok'))
);
comment on table catalog_feeds is 'Link to a stores catalogue for an ad platform. A new one replaces the one before.';

create table proxy_hosts (
  store_id text not null,
  hosts text[] not null,
  updated_at timestamptz not null default now(),
  constraint proxy_hosts_pkey primary key (store_id),
  constraint proxy_hosts_store_id_fkey foreign key (store_id) references stores(id) on delete cascade,
  constraint proxy_hosts_hosts_check check (cardinality(hosts) <= 50)
);
comment on table proxy_hosts is 'Hosts that the pages of a store may call through the server.';

create trigger final before delete or update or truncate on ai_entries for each statement execute function cash_refuse_change();
