-- Traces of one project are gone through in order, whatever other projects have.
create index carrier_traces_project on carrier_traces (project_id, connection_id, id);
