-- More that a person looks at: what no gateway said in time, a refund that failed after it was done, and money that was taken back.
alter table payments drop constraint payments_concern_check;
alter table payments add constraint payments_concern_check
  check (concern in ('paid_twice', 'paid_less', 'paid_more', 'paid_late', 'other_currency', 'order_ended', 'outcome_unknown', 'refund_unknown', 'refund_failed', 'taken_back'));
