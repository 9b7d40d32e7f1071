-- Columns are named by the glossary.

alter table orders rename column said to overrides;
alter table order_parts rename column said to overrides;
alter table orders rename column words to search_text;
alter index orders_words rename to orders_search_text;
alter table products rename column words to search_text;
alter index products_words rename to products_search_text;
alter table sheet_rows rename column said to fields;
