-- Templates of stores; those without a store are the platform's, for all of them.
create table templates (
  store_id text references stores,
  id text collate "C" primary key,
  name text not null,
  description text not null default '',
  category text not null default '',
  preview_url text,
  data jsonb not null default '{}',
  published boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on templates (store_id, id);
create index on templates (store_id, name, id);
create index on templates (store_id, updated_at, id);
create index on templates (store_id, category, id);
create index on templates using gin (lower(name) gin_trgm_ops);

create table product_landing_page_templates (
  store_id text references stores,
  id text collate "C" primary key,
  name text not null,
  description text not null default '',
  category text not null default '',
  preview_url text,
  data jsonb not null default '{}',
  published boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on product_landing_page_templates (store_id, id);
create index on product_landing_page_templates (store_id, name, id);
create index on product_landing_page_templates (store_id, updated_at, id);
create index on product_landing_page_templates (store_id, category, id);
create index on product_landing_page_templates using gin (lower(name) gin_trgm_ops);

create table image_prompt_templates (
  store_id text references stores,
  id text collate "C" primary key,
  name text not null,
  description text not null default '',
  category text not null default '',
  preview_url text,
  prompt text not null,
  negative_prompt text not null default '',
  aspect_ratio text not null default '1:1',
  data jsonb not null default '{}',
  published boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on image_prompt_templates (store_id, id);
create index on image_prompt_templates (store_id, name, id);
create index on image_prompt_templates (store_id, updated_at, id);
create index on image_prompt_templates (store_id, category, id);
create index on image_prompt_templates using gin (lower(name) gin_trgm_ops);

create table pages (
  store_id text not null references stores,
  id text collate "C" primary key,
  title text not null,
  slug text not null,
  format text not null check (format in ('html', 'markdown')),
  content text not null default '',
  metadata jsonb not null default '{}',
  published boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (store_id, slug)
);
create index on pages (store_id, id);
create index on pages (store_id, title, id);
create index on pages (store_id, updated_at, id);
create index on pages (store_id, published, id);
create index on pages using gin (lower(title) gin_trgm_ops);

-- What customers say. `comments`: what the store answers, as it is shown.
create table feedbacks (
  store_id text not null references stores,
  id text collate "C" primary key,
  name text not null,
  phone text,
  email text,
  text text not null,
  rating integer not null check (rating between 1 and 5),
  product_id text,
  order_id text,
  status text not null default 'pending' check (status in ('pending', 'published', 'hidden')),
  comments jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint feedbacks_product foreign key (store_id, product_id) references products (store_id, id),
  constraint feedbacks_order foreign key (store_id, order_id) references orders (store_id, id)
);
create index on feedbacks (store_id, id);
create index on feedbacks (store_id, status, id);
create index on feedbacks (store_id, rating, id);
create index on feedbacks (store_id, updated_at, id);
create index on feedbacks (store_id, product_id, id);
create index on feedbacks (store_id, order_id);
create index on feedbacks using gin (lower(text) gin_trgm_ops);
