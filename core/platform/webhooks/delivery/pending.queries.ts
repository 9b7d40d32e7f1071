import type { Queryable } from '../../../data/sql.ts'
import { momentOfIds } from '../../../lib/ids.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const LOOKED_MS = 60_000
/** After every id. */
export const LAST = '~'
/** Planned anew each time: a plan that was kept from when the queue was short reads a long one from end to end. */
export const planned = { prepare: false }

/** Between which ids deliveries wait. */
interface Range {
  readonly from: string
  readonly before: string
}

const known = new WeakMap<Queryable, { readonly range: Promise<Range>; readonly until: number }>()

/**
 * The ids between which deliveries wait, by partitions: those of the last day and the next in any case, since no new delivery is of another
 * time, and all where older ones still wait. Looked for once a minute: the partitions of a month are not planned for at each claim.
 */
export function pendingRange(sql: Queryable): Promise<Range> {
  const now = Date.now()
  const last = known.get(sql)
  if (last && last.until > now) return last.range
  const range = readRange(sql, now)
  known.set(sql, { range, until: now + LOOKED_MS })
  range.catch(() => known.delete(sql))
  return range
}

/** Whether any delivery waits there, due or not: asked before a claim, which is planned for longer than this takes. */
export const anyPending = async (sql: Queryable, { from, before }: Range) =>
  (await sql.unsafe(ANY_PENDING, [from, before], planned)).length > 0

const ANY_PENDING = "select from webhook_deliveries where status = 'pending' and id >= $1 and id < $2 order by endpoint_id limit 1"

async function readRange(sql: Queryable, now: number): Promise<Range> {
  const parts = await sql<{ name: string }[]>`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhook_deliveries'::regclass`
  const asked = parts.map(({ name }) => `select '${name}' as name where exists (select from ${name} where status = 'pending')`)
  const names = (await sql.unsafe<{ name: string }[]>(asked.join(' union all '))).map(({ name }) => name)
  const weeks = names.flatMap((name) => (/_deliveries_\d+$/.test(name) ? [Number(name.split('_').at(-1))] : []))
  const borders = weeks.flatMap((week) => [week * WEEK_MS, (week + 1) * WEEK_MS])
  return {
    from: names.some((name) => name.includes('_before_')) ? '' : momentOfIds('dlv', Math.min(now - DAY_MS, ...borders)),
    before: names.some((name) => name.endsWith('_rest')) ? LAST : momentOfIds('dlv', Math.max(now + DAY_MS, ...borders)),
  }
}
