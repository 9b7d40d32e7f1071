-- Stores of which anybody may see what they show: those that are there, and go with no tenant that is being deleted.
create view shown_stores as
  select s.id, s.slug from stores s join projects p on p.id = s.project_id join tenants t on t.id = p.tenant_id
  where s.deleted_at is null and t.deletes_at is null;

-- Pictures that a store has made for it: what is asked for, and what came of it.
create table image_generations (
  store_id text not null references stores,
  id text collate "C" primary key,
  name text not null default '',
  prompt text not null,
  negative_prompt text not null default '',
  aspect_ratio text not null default '1:1',
  product_id text,
  published boolean not null default false,
  status text not null default 'draft' check (status in ('draft', 'queued', 'running', 'done', 'failed')),
  -- Where the pictures are; and of what failed, why.
  images jsonb not null default '[]',
  failure text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint image_generations_product foreign key (store_id, product_id) references products (store_id, id)
);
create index on image_generations (store_id, id);
create index on image_generations (store_id, name, id);
create index on image_generations (store_id, updated_at, id);
create index on image_generations (store_id, product_id, id);
create index on image_generations (store_id, published, id);
create index on image_generations using gin (lower(prompt) gin_trgm_ops);
-- The gallery: what all stores show one another.
create index image_generations_shown on image_generations (id) where published and status = 'done';
