import { expectOne, json, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { ChatMessage, Conversation } from './chat.model.ts'
import type { AssembledMessage, StoredCall } from './generation/parts.ts'

/** Row of `chat_conversations` with the id of its running generation. */
export interface ConversationRow extends Omit<Conversation, 'storeId'> {
  readonly projectId: string
  readonly userId: string
}
/** Row of `chat_messages`; tool calls are as stored. */
export interface MessageRow extends Omit<ChatMessage, 'toolCalls'> {
  readonly toolCalls: readonly StoredCall[]
  readonly projectId: string
  readonly conversationId: string
}

const conversationColumns = (sql: Queryable) =>
  sql`c.*, (select g.id from chat_generations g where g.project_id = c.project_id and g.conversation_id = c.id and g.state = 'running') as generation_id`

/** Locks the conversations of a user in a project against inserts, until the transaction ends (advisory lock). */
export const lockConversationsOfUser = (sql: Tx, projectId: string, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`conversations of ${userId} in ${projectId}`}, 0))`

/** Counts the conversations of a user in a project. */
export const countConversations = async (sql: Queryable, projectId: string, userId: string) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from chat_conversations where project_id = ${projectId} and user_id = ${userId}`,
  ).count

/** Inserts a conversation without messages. */
export const insertConversation = async (
  sql: Queryable,
  of: Pick<ConversationRow, 'projectId' | 'id' | 'userId' | 'title' | 'model' | 'path'>,
) => expectOne(await sql<ConversationRow[]>`insert into chat_conversations ${rowValues(sql, of)} returning *, null as generation_id`)

/** Columns that identify a conversation. */
export type ConversationKey = Pick<ConversationRow, 'projectId' | 'id'>

/** Finds a conversation by its id alone, as requests name it, without a lock. Uses a plain index. */
export const findConversationById = async (sql: Queryable, id: string) =>
  (await sql<ConversationRow[]>`select ${conversationColumns(sql)} from chat_conversations c where c.id = ${id}`)[0]

/** Finds a conversation of a project, without a lock. */
export const findConversation = async (sql: Queryable, { projectId, id }: ConversationKey) =>
  (
    await sql<
      ConversationRow[]
    >`select ${conversationColumns(sql)} from chat_conversations c where c.project_id = ${projectId} and c.id = ${id}`
  )[0]

/** Lists conversations of a user in a project, newest first, before a conversation if one is given. */
export const listConversations = (sql: Queryable, projectId: string, userId: string, before: string | null, take: number) =>
  sql<
    ConversationRow[]
  >`select ${conversationColumns(sql)} from chat_conversations c where c.project_id = ${projectId} and c.user_id = ${userId}
    ${before === null ? sql`` : sql`and c.id < ${before}`} order by c.id desc limit ${take}`

/** Locks a conversation until the transaction ends. Returns undefined when it was deleted. */
export const lockConversation = async (sql: Tx, key: ConversationKey): Promise<ConversationRow | undefined> => {
  await sql`select 1 from chat_conversations where project_id = ${key.projectId} and id = ${key.id} for update`
  return findConversation(sql, key)
}

/** Updates a conversation and its `updated_at`. The conversation must exist. */
export const updateConversation = async (
  sql: Queryable,
  { projectId, id }: ConversationKey,
  change: Partial<Pick<ConversationRow, 'title' | 'model' | 'path' | 'leafId'>>,
) => {
  await sql`update chat_conversations set ${rowValues(sql, { ...change, updatedAt: new Date() })} where project_id = ${projectId} and id = ${id}`
  return expectOne(
    await sql<
      ConversationRow[]
    >`select ${conversationColumns(sql)} from chat_conversations c where c.project_id = ${projectId} and c.id = ${id}`,
  )
}

/** Deletes a conversation with its messages, generations and queue. */
export const deleteConversation = (sql: Queryable, { projectId, id }: ConversationKey) =>
  sql`delete from chat_conversations where project_id = ${projectId} and id = ${id}`

const messageColumns = (
  sql: Queryable,
) => sql`project_id, conversation_id, id, parent_id, role, text, coalesce(tool_calls, '[]'::jsonb) as tool_calls, call_id, tool, failed,
  proposal_id, covers_id, generation_id, created_at`

/** Counts the messages of a conversation on all branches. */
export const countMessages = async (sql: Queryable, { projectId, id }: ConversationKey) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from chat_messages where project_id = ${projectId} and conversation_id = ${id}`,
  ).count

/**
 * Lists the newest messages on all branches, oldest first, before a message if one is given. Returns at most `take` messages, and stops
 * once they reach `bytes` bytes.
 */
export const listMessagesBefore = (
  sql: Queryable,
  { projectId, id }: ConversationKey,
  before: string | null,
  take: number,
  bytes: number,
) =>
  sql<MessageRow[]>`select ${messageColumns(sql)} from (
      select m.*, coalesce(sum(octet_length(text) + coalesce(octet_length(tool_calls::text), 0))
        over (order by id desc rows between unbounded preceding and 1 preceding), 0) as bytes_after
      from (select * from chat_messages where project_id = ${projectId} and conversation_id = ${id} ${before === null ? sql`` : sql`and id < ${before}`}
        order by id desc limit ${take}) m) newest
    where bytes_after < ${bytes} order by id`

/** Returns true when the conversation has a message older than this one. */
export const hasMessageBefore = async (sql: Queryable, { projectId, id }: ConversationKey, before: string) =>
  expectOne(
    await sql<
      { has: boolean }[]
    >`select exists (select from chat_messages where project_id = ${projectId} and conversation_id = ${id} and id < ${before}) as has`,
  ).has

/** Finds a message of a conversation by id. */
export const findMessage = async (sql: Queryable, { projectId, id }: ConversationKey, messageId: string) =>
  (
    await sql<MessageRow[]>`select ${messageColumns(sql)} from chat_messages
    where project_id = ${projectId} and conversation_id = ${id} and id = ${messageId}`
  )[0]

/** Columns of a new message. */
export interface NewMessageRow extends Partial<Omit<AssembledMessage, 'role'>> {
  readonly projectId: string
  readonly id: string
  readonly conversationId: string
  readonly parentId: string | null
  readonly role: ChatMessage['role']
  readonly text: string
  readonly generationId?: string | null
}

/** Inserts a message, with its tool calls in a second statement. */
export const insertMessage = async (sql: Queryable, of: NewMessageRow) => {
  const { toolCalls = null, ...plain } = of
  const [made] = await sql<MessageRow[]>`insert into chat_messages ${rowValues(sql, plain)} returning ${messageColumns(sql)}`
  if (toolCalls)
    await sql`update chat_messages set tool_calls = ${json(sql, toolCalls)} where project_id = ${of.projectId} and id = ${of.id}`
  return expectOne(made ? [made] : [])
}

/**
 * Lists the messages from the start of a branch to this one, oldest first: at most `most` messages and `bytes` bytes, counted from the end.
 * Leaves out the messages that the newest summary replaces.
 */
export const listMessagePath = (sql: Queryable, projectId: string, id: string, most: number, bytes: number) =>
  sql<MessageRow[]>`with recursive path as (
      select m.*, 1 as depth, ${bytesOf(sql)} as bytes_so_far, covers_id as until
        from chat_messages m where project_id = ${projectId} and id = ${id}
      union all
      select m.*, p.depth + 1, p.bytes_so_far + ${bytesOf(sql)}, coalesce(p.until, m.covers_id)
        from chat_messages m join path p on m.id = p.parent_id
        where m.project_id = ${projectId} and p.depth < ${most} and m.id is distinct from p.until and p.bytes_so_far + ${bytesOf(sql)} <= ${bytes})
    select ${messageColumns(sql)} from path order by depth desc`

const bytesOf = (sql: Queryable) => sql`octet_length(m.text)::bigint + coalesce(octet_length(m.tool_calls::text), 0)`

/** Deletes a message and all messages that follow it. Returns their ids. */
export const deleteBranch = async (sql: Tx, projectId: string, id: string): Promise<readonly string[]> => {
  const deleted = await sql<{ id: string }[]>`with recursive branch as (
      select id from chat_messages where project_id = ${projectId} and id = ${id}
      union all select m.id from chat_messages m join branch b on m.parent_id = b.id where m.project_id = ${projectId})
    select id from branch`
  await sql`delete from chat_messages where project_id = ${projectId} and id = ${id}`
  return deleted.map((each) => each.id)
}

/** Deletes all conversations and rules of a project. */
export const deleteChatOfProject = async (sql: Queryable, projectId: string) => {
  await sql`delete from chat_conversations where project_id = ${projectId}`
  await sql`delete from chat_rules where project_id = ${projectId}`
}
/** Deletes all conversations of a user and their own rules. */
export const deleteChatOfUser = async (sql: Queryable, userId: string) => {
  await sql`delete from chat_conversations where user_id = ${userId}`
  await sql`delete from chat_rules where user_id = ${userId}`
}
