import type { Queryable } from '../../../data/sql.ts'
import { DAY_MS, WEEK_MS } from '../../../lib/durations.ts'
import { lowestIdAt } from '../../../lib/ids.ts'

const CACHE_MS = 60_000
/** Text that sorts after every id. */
export const AFTER_ALL_IDS = '~'
/** Query options that disable prepared statements. A plan cached for a short queue would scan a long one. */
export const withoutPreparing = { prepare: false }

/** Range of ids of pending deliveries. */
interface Range {
  readonly from: string
  readonly before: string
}

const cachedRanges = new WeakMap<Queryable, { readonly range: Promise<Range>; readonly until: number }>()

/**
 * Returns the range of ids of pending deliveries, by partitions. Always includes yesterday to tomorrow, since new deliveries are of that
 * time, and older partitions with pending deliveries. Cached for a minute, so that claims do not plan over all partitions.
 */
export function pendingRange(sql: Queryable): Promise<Range> {
  const now = Date.now()
  const last = cachedRanges.get(sql)
  if (last && last.until > now) return last.range
  const range = readRange(sql, now)
  cachedRanges.set(sql, { range, until: now + CACHE_MS })
  range.catch(() => cachedRanges.delete(sql))
  return range
}

/** Returns true if any delivery is pending, due or not. Cheaper than planning a claim. */
export const hasPending = async (sql: Queryable, { from, before }: Range) =>
  (await sql.unsafe(ANY_PENDING, [from, before], withoutPreparing)).length > 0

const ANY_PENDING = "select from webhook_deliveries where status = 'pending' and id >= $1 and id < $2 order by endpoint_id limit 1"

async function readRange(sql: Queryable, now: number): Promise<Range> {
  const parts = await sql<{ name: string }[]>`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhook_deliveries'::regclass`
  const probes = parts.map(({ name }) => `select '${name}' as name where exists (select from ${name} where status = 'pending')`)
  const names = (await sql.unsafe<{ name: string }[]>(probes.join(' union all '))).map(({ name }) => name)
  const weeks = names.flatMap((name) => (/_deliveries_\d+$/.test(name) ? [Number(name.split('_').at(-1))] : []))
  const borders = weeks.flatMap((week) => [week * WEEK_MS, (week + 1) * WEEK_MS])
  return {
    from: names.some((name) => name.includes('_before_')) ? '' : lowestIdAt('dlv', Math.min(now - DAY_MS, ...borders)),
    before: names.some((name) => name.endsWith('_rest')) ? AFTER_ALL_IDS : lowestIdAt('dlv', Math.max(now + DAY_MS, ...borders)),
  }
}
