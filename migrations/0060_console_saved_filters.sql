-- Console: filters of lists that users saved, and what users prefer to see.

create table saved_filters (
  project_id text not null,
  id text collate "C" not null,
  user_id text not null,
  page text not null,
  name text not null,
  query jsonb not null,
  is_shared boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint saved_filters_pkey primary key (project_id, id),
  constraint saved_filters_name unique (project_id, user_id, page, name),
  constraint saved_filters_project_id_fkey foreign key (project_id) references projects(id) on delete cascade,
  constraint saved_filters_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table saved_filters is 'Filter of a list that a user saved under a name, for themselves or for all members of the store.';
comment on column saved_filters.page is 'Key of the list, such as "orders". The client chooses it.';
comment on column saved_filters.query is 'Decoded parameters of the query string: pairs of a name and a value, in their order.';
comment on column saved_filters.is_shared is 'True when all members of the store see it.';
create index saved_filters_user_id_idx on saved_filters (user_id);

create table user_preferences (
  user_id text not null,
  language text,
  theme text,
  density text,
  columns jsonb not null default '{}',
  updated_at timestamptz not null default now(),
  constraint user_preferences_pkey primary key (user_id),
  constraint user_preferences_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table user_preferences is 'How a user wants to see the console, on every device.';
comment on column user_preferences.language is 'Language of the console; null for that of the browser.';
comment on column user_preferences.columns is 'Shown columns of lists, in their order, by the key of the page.';
