-- Reports stand in a parcel's trace, among what its carrier was asked, in the order they came.
alter table parcel_reports add column id text collate "C";
create index parcel_reports_trace on parcel_reports (project_id, parcel_id, id) where id is not null;
