-- Conversations of the assistant, its proposals and MCP servers are keyed by their project.

select key_by_project('chat_conversations', 'chat_messages', 'chat_generations', 'chat_generation_parts', 'chat_queue', 'chat_proposals', 'chat_rules');
select key_by_project('mcp_servers', 'mcp_secrets', 'mcp_sign_ins');

alter table chat_messages drop constraint chat_messages_conversation_id_fkey, drop constraint chat_messages_parent_id_fkey;
alter table chat_generations drop constraint chat_generations_conversation_id_fkey, drop constraint chat_generations_message_id_fkey;
alter table chat_generation_parts drop constraint chat_generation_parts_generation_id_fkey;
alter table chat_queue drop constraint chat_queue_conversation_id_fkey;

-- Requests name a conversation, a generation, a proposal and a rule by its id alone.
alter table chat_conversations drop constraint chat_conversations_pkey, add constraint chat_conversations_pkey primary key (project_id, id);
create index chat_conversations_id_idx on chat_conversations (id);

alter table chat_messages drop constraint chat_messages_pkey, add constraint chat_messages_pkey primary key (project_id, id),
  add constraint chat_messages_conversation_id_fkey foreign key (project_id, conversation_id) references chat_conversations (project_id, id) on delete cascade,
  add constraint chat_messages_parent_id_fkey foreign key (project_id, parent_id) references chat_messages (project_id, id) on delete cascade;
drop index chat_messages_project_id_idx, chat_messages_conversation_id_id_idx, chat_messages_parent_id_idx;
create index chat_messages_project_id_conversation_id_id_idx on chat_messages (project_id, conversation_id, id);
create index chat_messages_project_id_parent_id_idx on chat_messages (project_id, parent_id);

alter table chat_generations drop constraint chat_generations_pkey, add constraint chat_generations_pkey primary key (project_id, id),
  add constraint chat_generations_conversation_id_fkey foreign key (project_id, conversation_id) references chat_conversations (project_id, id) on delete cascade,
  add constraint chat_generations_message_id_fkey foreign key (project_id, message_id) references chat_messages (project_id, id) on delete cascade;
drop index chat_generations_project_id_idx, chat_generations_conversation_id_idx, chat_generations_message_id_idx, chat_generations_running;
alter index chat_generations_id_idx rename to chat_generations_under_way;
create index chat_generations_id_idx on chat_generations (id);
create index chat_generations_project_id_conversation_id_idx on chat_generations (project_id, conversation_id);
create index chat_generations_project_id_message_id_idx on chat_generations (project_id, message_id);
create unique index chat_generations_running on chat_generations (project_id, conversation_id) where state = 'running';

alter table chat_generation_parts drop constraint chat_generation_parts_pkey,
  add constraint chat_generation_parts_pkey primary key (project_id, generation_id, seq),
  add constraint chat_generation_parts_generation_id_fkey foreign key (project_id, generation_id) references chat_generations (project_id, id) on delete cascade;
drop index chat_generation_parts_project_id_idx;

alter table chat_queue drop constraint chat_queue_pkey, add constraint chat_queue_pkey primary key (project_id, id),
  add constraint chat_queue_conversation_id_fkey foreign key (project_id, conversation_id) references chat_conversations (project_id, id) on delete cascade;
drop index chat_queue_project_id_idx, chat_queue_conversation_id_position_id_idx;
create index chat_queue_project_id_conversation_id_position_id_idx on chat_queue (project_id, conversation_id, "position", id);

alter table chat_proposals drop constraint chat_proposals_pkey, add constraint chat_proposals_pkey primary key (project_id, id);
drop index chat_proposals_project_id_idx, chat_proposals_generation_id_idx;
create index chat_proposals_id_idx on chat_proposals (id);
create index chat_proposals_project_id_generation_id_idx on chat_proposals (project_id, generation_id);

alter table chat_rules drop constraint chat_rules_pkey, add constraint chat_rules_pkey primary key (project_id, id);
drop index chat_rules_project_id_id_idx;
create index chat_rules_id_idx on chat_rules (id);

alter table mcp_secrets drop constraint mcp_secrets_server_id_fkey;
alter table mcp_sign_ins drop constraint mcp_sign_ins_server_id_fkey;
-- Requests name a server by its id alone.
alter table mcp_servers drop constraint mcp_servers_pkey, add constraint mcp_servers_pkey primary key (project_id, id);
drop index mcp_servers_project_id_id_idx;
create index mcp_servers_id_idx on mcp_servers (id);
alter table mcp_secrets drop constraint mcp_secrets_pkey, add constraint mcp_secrets_pkey primary key (project_id, id),
  drop constraint mcp_secrets_server_id_kind_user_id_issuer_key,
  add constraint mcp_secrets_server_id_kind_user_id_issuer_key unique nulls not distinct (project_id, server_id, kind, user_id, issuer),
  add constraint mcp_secrets_server_id_fkey foreign key (project_id, server_id) references mcp_servers (project_id, id) on delete cascade;
drop index mcp_secrets_project_id_idx;
alter table mcp_sign_ins
  add constraint mcp_sign_ins_server_id_fkey foreign key (project_id, server_id) references mcp_servers (project_id, id) on delete cascade;
drop index mcp_sign_ins_project_id_idx, mcp_sign_ins_server_id_idx;
create index mcp_sign_ins_project_id_server_id_idx on mcp_sign_ins (project_id, server_id);

comment on table chat_conversations is 'Conversation of a user with the assistant in a project.';
comment on table chat_rules is 'Rule that the assistant follows: of one user, or of the whole project.';
