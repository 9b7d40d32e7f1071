-- Of a proposal to call a tool of somebody else's server: what came of it. Null until then, and where the change is one of ours.
alter table chat_proposals add column result text, add column failed boolean;
