-- Products, categories, promotions and content are keyed by their project.
alter table promo_redemptions drop constraint promo_redemptions_promo_id_fkey;
-- A template of the platform has another project than the store that looks at it.
alter table store_template_previews drop constraint store_previews_template;
-- Templates of the platform have no store to refer to.
alter table templates drop constraint templates_store_id_fkey;
alter table image_prompt_templates drop constraint image_prompt_templates_store_id_fkey;
alter table product_landing_page_templates drop constraint product_landing_page_templates_store_id_fkey;

select key_by_project('categories', 'products', 'product_skus', 'product_keys', 'promos', 'pages', 'feedbacks', 'image_generations', 'image_prompt_templates', 'product_landing_page_templates', 'templates', 'store_template_previews');

alter table products drop constraint products_category;
alter table categories drop constraint categories_parent;
alter table categories drop constraint categories_project_id_id_key;
alter table categories drop constraint categories_pkey, add constraint categories_pkey primary key (project_id, id);
alter table categories add constraint categories_parent foreign key (project_id, parent_id) references categories(project_id, id);
alter table products add constraint products_category foreign key (project_id, category_id) references categories(project_id, id) on delete set null (category_id);

alter table promos drop constraint promos_pkey, add constraint promos_pkey primary key (project_id, id);
alter table promo_redemptions add constraint promo_redemptions_promo foreign key (project_id, promo_id) references promos(project_id, id) on delete cascade;
drop index promo_redemptions_promo_id_phone_idx;
create index promo_redemptions_project_id_promo_id_phone_idx on promo_redemptions (project_id, promo_id, phone);

alter table pages drop constraint pages_pkey, add constraint pages_pkey primary key (project_id, id);
alter table feedbacks drop constraint feedbacks_pkey, add constraint feedbacks_pkey primary key (project_id, id);
alter table feedbacks add constraint feedbacks_order foreign key (project_id, order_id) references orders(project_id, id);
alter table image_generations drop constraint image_generations_pkey, add constraint image_generations_pkey primary key (project_id, id);
alter table image_prompt_templates alter column project_id set not null, drop constraint image_prompt_templates_pkey, add constraint image_prompt_templates_pkey primary key (project_id, id);
alter table product_landing_page_templates alter column project_id set not null, drop constraint product_landing_page_templates_pkey, add constraint product_landing_page_templates_pkey primary key (project_id, id);
alter table templates alter column project_id set not null, drop constraint templates_pkey, add constraint templates_pkey primary key (project_id, id);

-- The primary key serves these now. A route names a row by its id alone, before its project is known.
drop index promos_project_id_id_idx, pages_project_id_id_idx, feedbacks_project_id_id_idx, image_generations_project_id_id_idx,
  image_prompt_templates_project_id_id_idx, product_landing_page_templates_project_id_id_idx, templates_project_id_id_idx,
  store_template_previews_template_id_idx;
create index categories_id on categories (id);
create index promos_id on promos (id);
create index pages_id on pages (id);
create index feedbacks_id on feedbacks (id);
create index image_generations_id on image_generations (id);
create index image_prompt_templates_id on image_prompt_templates (id);
create index product_landing_page_templates_id on product_landing_page_templates (id);
create index templates_id on templates (id);

create or replace view shown_stores as
  select s.id, s.slug, s.project_id from stores s join projects p on p.id = s.project_id join tenants t on t.id = p.tenant_id
  where s.deleted_at is null and t.deletes_at is null;
comment on table templates is 'Template of a page. With an empty project it is the platforms, for all stores.';
comment on table image_prompt_templates is 'Template of a prompt for pictures. With an empty project it is the platforms, for all stores.';
comment on table product_landing_page_templates is 'Template of a landing page for a product. With an empty project it is the platforms, for all stores.';
