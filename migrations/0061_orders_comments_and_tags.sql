-- Comments and tags that members of a store leave on orders.

create table order_comments (
  project_id text not null,
  order_id text collate "C" not null,
  id text collate "C" not null,
  user_id text not null,
  text text not null,
  mentions text[] not null default '{}',
  created_at timestamptz not null default now(),
  constraint order_comments_pkey primary key (project_id, order_id, id),
  constraint order_comments_order_id_fkey foreign key (project_id, order_id) references orders(project_id, id) on delete cascade,
  constraint order_comments_user_id_fkey foreign key (user_id) references users(id)
);
comment on table order_comments is 'Remark of a member on an order, for their colleagues. Customers never see it.';
comment on column order_comments.mentions is 'Ids of the members who were notified of it.';
create index order_comments_user_id_idx on order_comments (user_id);

create table order_tags (
  project_id text not null,
  order_id text collate "C" not null,
  tag text collate "C" not null,
  created_at timestamptz not null default now(),
  constraint order_tags_pkey primary key (project_id, order_id, tag),
  constraint order_tags_order_id_fkey foreign key (project_id, order_id) references orders(project_id, id) on delete cascade
);
comment on table order_tags is 'Tag of an order, as the store names it.';
create index order_tags_tag on order_tags (project_id, tag, order_id);
