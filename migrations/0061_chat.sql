-- What a person and an assistant said to each other about a store. It belongs to the person, in that store.
create table chat_conversations (
  store_id text not null references stores on delete cascade,
  id text collate "C" primary key,
  user_id text not null references users on delete cascade,
  title text not null default '',
  -- The model that answers; null for the first that can.
  model text,
  -- Where in the store's pages it was begun: rules by path go by it.
  path text,
  -- The last message of the branch that is shown. No foreign key: messages go by branches, and what is gone leads nowhere.
  leaf_id text collate "C",
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on chat_conversations (store_id, user_id, id);
create index on chat_conversations (user_id);

-- A tree: an edit or another try is a sibling of what was there before.
create table chat_messages (
  store_id text not null references stores on delete cascade,
  id text collate "C" primary key,
  conversation_id text collate "C" not null references chat_conversations on delete cascade,
  parent_id text collate "C" references chat_messages on delete cascade,
  role text not null check (role in ('user', 'assistant', 'tool', 'summary')),
  text text not null,
  tool_calls jsonb,
  call_id text,
  tool text,
  failed boolean not null default false,
  proposal_id text,
  -- Of a summary: the last message that it stands for.
  covers_id text collate "C",
  generation_id text collate "C",
  created_at timestamptz not null default now()
);
create index on chat_messages (store_id);
create index on chat_messages (conversation_id, id);
create index on chat_messages (parent_id);

-- An answer that is being made, or was. It goes on whether or not anybody listens.
create table chat_generations (
  store_id text not null references stores on delete cascade,
  id text collate "C" primary key,
  conversation_id text collate "C" not null references chat_conversations on delete cascade,
  user_id text not null references users on delete cascade,
  -- What it answers.
  message_id text collate "C" not null references chat_messages on delete cascade,
  model text,
  state text not null default 'running' check (state in ('running', 'completed', 'failed', 'cancelled')),
  reason text,
  problem text,
  -- Who works on it; null where nobody does.
  process bigint,
  attempts int not null default 0,
  cancel_requested boolean not null default false,
  last_seq int not null default 0,
  -- The last message of the answer.
  answer_id text collate "C",
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost numeric,
  currency text,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index on chat_generations (store_id);
create index on chat_generations (user_id);
create index on chat_generations (message_id);
create index on chat_generations (ended_at) where ended_at is not null;
create index on chat_generations (id) where state = 'running';
-- One at a time.
create unique index chat_generations_running on chat_generations (conversation_id) where state = 'running';
create index on chat_generations (conversation_id);

-- What was streamed, in order; dropped a while after the end, when all of it stands in messages.
create table chat_generation_parts (
  store_id text not null references stores on delete cascade,
  generation_id text collate "C" not null references chat_generations on delete cascade,
  seq int not null,
  part jsonb not null,
  primary key (generation_id, seq)
);
create index on chat_generation_parts (store_id);

-- Prompts that wait for their turn.
create table chat_queue (
  store_id text not null references stores on delete cascade,
  id text collate "C" primary key,
  conversation_id text collate "C" not null references chat_conversations on delete cascade,
  position int not null,
  text text not null,
  created_at timestamptz not null default now()
);
create index on chat_queue (store_id);
create index on chat_queue (conversation_id, position, id);

-- What the assistant is told each time: a person's own, or the whole store's (user_id is null).
create table chat_rules (
  store_id text not null references stores on delete cascade,
  id text collate "C" primary key,
  user_id text references users on delete cascade,
  name text not null,
  text text not null,
  -- Globs of paths that it is for; empty for all.
  paths text[] not null default '{}',
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on chat_rules (store_id, id);
create index on chat_rules (user_id) where user_id is not null;

-- What an assistant can learn when it needs it (SKILL.md).
create table chat_skills (
  store_id text not null references stores on delete cascade,
  id text collate "C" primary key,
  user_id text not null references users on delete cascade,
  name text not null,
  description text not null,
  version int not null default 1,
  -- The version that the marketplace shows; null where it shows none.
  published_version int,
  published_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint chat_skills_name unique (store_id, user_id, name)
);
create index on chat_skills (user_id);
create index on chat_skills (id) where published_version is not null;

create table chat_skill_versions (
  store_id text not null references stores on delete cascade,
  skill_id text collate "C" not null references chat_skills on delete cascade,
  version int not null,
  name text not null,
  description text not null,
  content text not null,
  -- Texts by their path. Never run.
  files jsonb not null,
  created_at timestamptz not null default now(),
  primary key (skill_id, version)
);
create index on chat_skill_versions (store_id);

-- What an assistant would change, shown to the person: it is done when he says so, and once.
create table chat_proposals (
  store_id text not null references stores on delete cascade,
  id text collate "C" primary key,
  user_id text not null references users on delete cascade,
  generation_id text collate "C" not null,
  tool text not null,
  thing text not null,
  arguments jsonb not null,
  before jsonb not null,
  after jsonb not null,
  state text not null default 'open' check (state in ('open', 'confirmed', 'rejected')),
  created_at timestamptz not null default now(),
  decided_at timestamptz
);
create index on chat_proposals (store_id);
create index on chat_proposals (user_id);
create index on chat_proposals (generation_id);
