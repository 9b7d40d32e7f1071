-- Codes that are asked for from where their person has signed in are counted apart, so that no stranger uses up what an address is mailed in an hour.
alter table one_time_codes add column is_near boolean not null default false;
alter table mails add column is_near boolean not null default false;
