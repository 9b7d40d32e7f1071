-- Which columns of a tab say what its rows are called and what became of them: whoever speaks another language by now keeps them.
alter table row_sources add column name_header text;
alter table row_sources add column state_header text;
update row_sources set
  name_header = case language when 'fr' then 'ID ligne' when 'en' then 'Row ID' else 'معرف السطر' end,
  state_header = case language when 'fr' then 'Suivi commande' when 'en' then 'Order state' else 'متابعة الطلب' end
where tab_id is not null;
alter table row_sources add check ((tab_id is null) = (name_header is null) and (tab_id is null) = (state_header is null));
-- Names from before this one that nobody here took belong to somebody else, or to what was left alone; null where all are taken.
alter table row_sources add column names_from text collate "C";

-- What a row was told last of what becomes of its order by itself; a null in it is under way, or nobody knows.
alter table sheet_rows add column said jsonb not null default '{}';
