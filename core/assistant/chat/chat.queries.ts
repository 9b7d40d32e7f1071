import { expectOne, json, type Queryable, row, type Tx } from '../../data/sql.ts'
import type { ChatMessage, Conversation } from './chat.model.ts'
import type { Folded, KeptCall } from './generation/parts.ts'

export interface ConversationRow extends Conversation {
  readonly userId: string
}
export interface MessageRow extends Omit<ChatMessage, 'toolCalls'> {
  readonly toolCalls: readonly KeptCall[]
  readonly storeId: string
  readonly conversationId: string
}

const shown = (sql: Queryable) =>
  sql`c.*, (select g.id from chat_generations g where g.conversation_id = c.id and g.state = 'running') as generation_id`

/** Nobody else begins a conversation of this person's in the store until the transaction ends. */
export const holdConversationsOf = (sql: Tx, storeId: string, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`conversations of ${userId} in ${storeId}`}, 0))`

export const countConversations = async (sql: Queryable, storeId: string, userId: string) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from chat_conversations where store_id = ${storeId} and user_id = ${userId}`,
  ).count

export const insertConversation = async (
  sql: Queryable,
  of: Pick<ConversationRow, 'storeId' | 'id' | 'userId' | 'title' | 'model' | 'path'>,
) => expectOne(await sql<ConversationRow[]>`insert into chat_conversations ${row(sql, of)} returning *, null as generation_id`)

export const findConversation = async (sql: Queryable, id: string) =>
  (await sql<ConversationRow[]>`select ${shown(sql)} from chat_conversations c where c.id = ${id}`)[0]

/** Newest first. */
export const listConversations = (sql: Queryable, storeId: string, userId: string, before: string | null, take: number) =>
  sql<ConversationRow[]>`select ${shown(sql)} from chat_conversations c where c.store_id = ${storeId} and c.user_id = ${userId}
    ${before === null ? sql`` : sql`and c.id < ${before}`} order by c.id desc limit ${take}`

/** Nobody else goes on with it until the transaction ends. */
export const lockConversation = async (sql: Tx, id: string): Promise<ConversationRow | undefined> => {
  await sql`select 1 from chat_conversations where id = ${id} for update`
  return findConversation(sql, id)
}

export const updateConversation = async (
  sql: Queryable,
  id: string,
  change: Partial<Pick<ConversationRow, 'title' | 'model' | 'path' | 'leafId'>>,
) => {
  await sql`update chat_conversations set ${row(sql, { ...change, updatedAt: new Date() })} where id = ${id}`
  return expectOne(await sql<ConversationRow[]>`select ${shown(sql)} from chat_conversations c where c.id = ${id}`)
}

export const deleteConversation = (sql: Queryable, id: string) => sql`delete from chat_conversations where id = ${id}`

const message = (
  sql: Queryable,
) => sql`store_id, conversation_id, id, parent_id, role, text, coalesce(tool_calls, '[]'::jsonb) as tool_calls, call_id, tool, failed,
  proposal_id, covers_id, generation_id, created_at`

export const countMessages = async (sql: Queryable, conversationId: string) =>
  expectOne(await sql<{ count: number }[]>`select count(*)::int as count from chat_messages where conversation_id = ${conversationId}`)
    .count

/**
 * What was said last on any branch, before a message if one is named, in the order in which it was said: so many messages, and none before
 * those that come to so many bytes.
 */
export const messagesBefore = (sql: Queryable, conversationId: string, before: string | null, take: number, bytes: number) =>
  sql<MessageRow[]>`select ${message(sql)} from (
      select m.*, coalesce(sum(octet_length(text) + coalesce(octet_length(tool_calls::text), 0))
        over (order by id desc rows between unbounded preceding and 1 preceding), 0) as bytes_after
      from (select * from chat_messages where conversation_id = ${conversationId} ${before === null ? sql`` : sql`and id < ${before}`}
        order by id desc limit ${take}) m) newest
    where bytes_after < ${bytes} order by id`

export const hasMessageBefore = async (sql: Queryable, conversationId: string, before: string) =>
  expectOne(
    await sql<
      { has: boolean }[]
    >`select exists (select from chat_messages where conversation_id = ${conversationId} and id < ${before}) as has`,
  ).has

export const findMessage = async (sql: Queryable, conversationId: string, id: string) =>
  (await sql<MessageRow[]>`select ${message(sql)} from chat_messages where conversation_id = ${conversationId} and id = ${id}`)[0]

export interface NewMessageRow extends Partial<Omit<Folded, 'role'>> {
  readonly storeId: string
  readonly id: string
  readonly conversationId: string
  readonly parentId: string | null
  readonly role: ChatMessage['role']
  readonly text: string
  readonly generationId?: string | null
}

export const insertMessage = async (sql: Queryable, of: NewMessageRow) => {
  const { toolCalls = null, ...plain } = of
  const [made] = await sql<MessageRow[]>`insert into chat_messages ${row(sql, plain)} returning ${message(sql)}`
  if (toolCalls) await sql`update chat_messages set tool_calls = ${json(sql, toolCalls)} where id = ${of.id}`
  return expectOne(made ? [made] : [])
}

/**
 * What leads to this one, it last: so many messages, of so many bytes with it, and none that the newest summary among them stands for.
 */
export const pathTo = (sql: Queryable, id: string, most: number, bytes: number) =>
  sql<MessageRow[]>`with recursive path as (
      select m.*, 1 as depth, ${bytesOf(sql)} as bytes_so_far, covers_id as until from chat_messages m where id = ${id}
      union all
      select m.*, p.depth + 1, p.bytes_so_far + ${bytesOf(sql)}, coalesce(p.until, m.covers_id)
        from chat_messages m join path p on m.id = p.parent_id
        where p.depth < ${most} and m.id is distinct from p.until and p.bytes_so_far + ${bytesOf(sql)} <= ${bytes})
    select ${message(sql)} from path order by depth desc`

const bytesOf = (sql: Queryable) => sql`octet_length(m.text)::bigint + coalesce(octet_length(m.tool_calls::text), 0)`

/** It and all that follows it. */
export const deleteBranch = async (sql: Tx, id: string): Promise<readonly string[]> => {
  const gone = await sql<{ id: string }[]>`with recursive branch as (
      select id from chat_messages where id = ${id} union all select m.id from chat_messages m join branch b on m.parent_id = b.id)
    select id from branch`
  await sql`delete from chat_messages where id = ${id}`
  return gone.map((each) => each.id)
}

export const deleteChatOf = async (sql: Queryable, storeId: string) => {
  await sql`delete from chat_conversations where store_id = ${storeId}`
  await sql`delete from chat_rules where store_id = ${storeId}`
}
export const deleteChatOfPerson = async (sql: Queryable, userId: string) => {
  await sql`delete from chat_conversations where user_id = ${userId}`
  await sql`delete from chat_rules where user_id = ${userId}`
}
