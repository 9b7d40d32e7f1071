-- Tokens that a process is renewing, for so long: nobody else uses up what renews them.
alter table mcp_secrets add column renewing_by text, add column renewing_until timestamptz;
