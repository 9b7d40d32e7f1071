-- What is old is dropped by its day.
create index ads_spend_day on ads_spend (day);
