-- Of an account whose days are not read at one go: the day from which it goes on.
alter table ads_accounts add column next_day text;
