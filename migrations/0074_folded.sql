-- What people look for is found however it is written: without accents, vowel signs, hamza and tatweel, and with one form of letters that have several.
create function folded(text) returns text language sql immutable strict parallel safe as $$
  select translate(
    replace(replace(replace(translate(
      regexp_replace(lower(normalize($1, nfkd)), '[\u0300-\u036f\u0610-\u061a\u0621\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]', '', 'g'),
      'ŒÆẞ', 'œæß'), 'œ', 'oe'), 'æ', 'ae'), 'ß', 'ss'),
    'ىیةھہەکٱڨگڤڭ', 'ييههههكاقققق')
$$;

drop index countries_words;
drop index states_words;
drop index cities_words;
drop index currencies_words;
drop index categories_words;
drop index templates_lower_idx;
drop index product_landing_page_templates_lower_idx;
drop index image_prompt_templates_lower_idx;
drop index pages_lower_idx;
drop index feedbacks_lower_idx;
drop index tenants_words;
drop index projects_words;
drop index users_words;
drop index image_generations_lower_idx;
create index countries_words on countries using gin (folded(name) gin_trgm_ops);
create index states_words on states using gin (folded(name) gin_trgm_ops);
create index cities_words on cities using gin (folded(name) gin_trgm_ops);
create index currencies_words on currencies using gin (folded(name) gin_trgm_ops);
create index categories_words on categories using gin (folded(name) gin_trgm_ops);
create index templates_words on templates using gin (folded(name) gin_trgm_ops);
create index product_landing_page_templates_words on product_landing_page_templates using gin (folded(name) gin_trgm_ops);
create index image_prompt_templates_words on image_prompt_templates using gin (folded(name) gin_trgm_ops);
create index pages_words on pages using gin (folded(title) gin_trgm_ops);
create index feedbacks_words on feedbacks using gin (folded(text) gin_trgm_ops);
create index tenants_words on tenants using gin (folded(name) gin_trgm_ops);
create index projects_words on projects using gin (folded(name) gin_trgm_ops);
create index users_words on users using gin (folded(name || ' ' || email) gin_trgm_ops);
create index image_generations_words on image_generations using gin (folded(prompt) gin_trgm_ops);

-- Codes are the same in small and capital letters.
drop index orders_promo;
drop index orders_promo_updated;
create index orders_promo on orders (store_id, lower(promo_code), id) where promo_code is not null and deleted_at is null;
create index orders_promo_updated on orders (store_id, lower(promo_code), updated_at, id) where promo_code is not null and deleted_at is null;
