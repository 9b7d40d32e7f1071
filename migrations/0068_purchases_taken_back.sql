-- A purchase of an app that its shop gave the money back for. One that nobody had used yet stands here for no store: it is of no use any more.
alter table subscription_receipts add column taken_back boolean not null default false;
