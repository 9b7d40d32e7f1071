import { equalsCondition, keysetPage } from '../../../data/keyset-page.ts'
import { eraseInOneTransaction } from '../../../data/personal-data/personal-data.ts'
import { projectIdOf, storeIdColumn } from '../../../data/project-ids.ts'
import { expectOne, json, type Queryable } from '../../../data/sql.ts'
import type { Block, BlockListRequest } from './blocks.model.ts'

const isActive = (sql: Queryable) => sql`(b.expires_at is null or b.expires_at > now())`
const selectBlocks = (
  sql: Queryable,
) => sql`select b.id, ${storeIdColumn(sql, 'b')}, b.kind, b.value ->> 'phone' as phone, b.value -> 'address' as address, b.value ->> 'ip' as ip,
  b.reason, ${isActive(sql)} as is_active, b.expires_at, b.created_at,
  case when u.id is not null then jsonb_build_object('userId', u.id, 'name', u.name) end as blocked_by
  from store_blocks b left join users u on u.id = b.blocked_by`

interface NewRow {
  readonly id: string
  readonly storeId: string
  readonly kind: Block['kind']
  readonly value: object
  readonly matched: string
  /** Network in CIDR notation, for a block of the kind `ip`; null for the others. */
  readonly network: string | null
  readonly reason: string
  readonly blockedBy: string | null
  readonly expiresAt: string | null
}

/** Inserts a block. A block with the same value gets the new reason, author and expiry. */
export async function upsertBlock(sql: Queryable, block: NewRow): Promise<Block> {
  const { id, storeId, kind, value, matched, network, reason, blockedBy, expiresAt } = block
  const rows = await sql<{ id: string }[]>`
    insert into store_blocks (id, project_id, kind, value, matched, network, reason, blocked_by, expires_at)
    values (${id}, ${projectIdOf(storeId)}, ${kind}, ${json(sql, value)}, ${matched}, ${network}::cidr, ${reason}, ${blockedBy}, ${expiresAt})
    on conflict (project_id, kind, matched) do update
      set reason = excluded.reason, blocked_by = excluded.blocked_by, expires_at = excluded.expires_at, value = excluded.value
    returning id`
  return expectOne(await sql<Block[]>`${selectBlocks(sql)} where b.project_id = ${projectIdOf(storeId)} and b.id = ${expectOne(rows).id}`)
}

/** Returns the network of an IP address with a prefix length, as PostgreSQL writes it. */
export const canonicalNetwork = async (sql: Queryable, address: string, bits: number) =>
  expectOne(await sql<{ network: string }[]>`select text(network(set_masklen(${address}::inet, ${bits}))) as network`).network

/** Finds the block of a store with this value. Returns undefined where there is none. */
export const findBlockByValue = async (sql: Queryable, storeId: string, kind: Block['kind'], matched: string) =>
  (await sql<Block[]>`${selectBlocks(sql)} where b.project_id = ${projectIdOf(storeId)} and b.kind = ${kind} and b.matched = ${matched}`)[0]

/** Counts the blocks of a store, expired ones included. */
export const countBlocks = async (sql: Queryable, storeId: string) =>
  expectOne(await sql<{ count: number }[]>`select count(*)::int as count from store_blocks where project_id = ${projectIdOf(storeId)}`)
    .count

/** Lists blocks of a store, newest first. `phone` is E.164. */
export const listBlocks = (sql: Queryable, storeId: string, { filter: { kind, phone }, page: part }: BlockListRequest) =>
  sql<Block[]>`${selectBlocks(sql)} where b.project_id = ${projectIdOf(storeId)} ${equalsCondition(sql, { 'b.kind': kind })}
    ${phone === undefined ? sql`` : sql`and b.kind = 'phone' and b.matched = ${phone}`} ${keysetPage(sql, part, 'b.id')}`

/** Locks and deletes a block, and returns it. Returns undefined where there is none. */
export async function deleteBlock(sql: Queryable, storeId: string, id: string): Promise<Block | undefined> {
  const [block] = await sql<Block[]>`${selectBlocks(sql)} where b.project_id = ${projectIdOf(storeId)} and b.id = ${id} for update of b`
  if (block) await sql`delete from store_blocks where project_id = ${projectIdOf(storeId)} and id = ${id}`
  return block
}

/** Keys of an order that blocks are compared with. A null one matches nothing. */
export interface BlockKeys {
  readonly phones: readonly string[]
  readonly address: string | null
  readonly ip: string | null
}

/** Block that matches an order. */
export type MatchingBlock = Pick<Block, 'kind' | 'reason'>

/** Lists up to ten active blocks that match an order. A null `address` or `ip` matches nothing. */
export const listMatchingBlocks = (sql: Queryable, storeId: string, { phones, address, ip }: BlockKeys) =>
  sql<MatchingBlock[]>`
    select b.kind, b.reason from store_blocks b where b.project_id = ${projectIdOf(storeId)} and ${isActive(sql)} and (
      (b.kind = 'phone' and b.matched = any (${phones as string[]})) or (b.kind = 'address' and b.matched = ${address})
      or (b.kind = 'ip' and b.network >>= ${ip}::inet)) order by b.kind, b.id limit 10`

/** Deletes blocks that expired more than this number of days ago. */
export const deleteExpiredBlocks = (sql: Queryable, days: number) =>
  sql`delete from store_blocks where expires_at < now() - ${days} * interval '1 day'`

/** Erases a person from the blocks: deletes blocks of their phone numbers and addresses, and scrubs their name from reasons. */
export const personalBlocks = eraseInOneTransaction('store_blocks', async (tx, { storeId, terms, matcher }) => {
  await tx`delete from store_blocks where project_id = ${projectIdOf(storeId)} and kind = 'phone' and matched = any (${terms.phones as string[]})`
  const rows = await tx<{ id: string; kind: string; value: string; reason: string }[]>`
    select id, kind, value::text as value, reason from store_blocks where project_id = ${projectIdOf(storeId)} order by id for update`
  for (const { id, kind, value, reason } of rows) {
    if (kind === 'address' && matcher.isNamed(value))
      await tx`delete from store_blocks where project_id = ${projectIdOf(storeId)} and id = ${id}`
    else if (matcher.isConnected(reason) || matcher.isNamed(reason))
      await tx`update store_blocks set reason = ${matcher.scrub(reason, { isAbout: true })} where project_id = ${projectIdOf(storeId)} and id = ${id}`
  }
})
