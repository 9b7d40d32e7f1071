import { equalsCondition } from '../../data/keyset-page.ts'
import type { Queryable } from '../../data/sql.ts'
import { idRangeBetween } from '../../lib/days.ts'
import type { StateFilter } from '../../platform/geo/state-filter.model.ts'
import { type OrderListRequest, UNASSIGNED } from '../list.model.ts'
import { orderSearchPatterns } from '../search-text.ts'

type Fragment = ReturnType<Queryable>
type Filter = OrderListRequest['filter']

/** Meaning of filters in a store: places by its country, and tags as they are stored. */
export interface ResolvedFilters {
  /** State that `stateCode` means. */
  readonly state?: StateFilter | undefined
  /** Codes and names that `cityCode` means. */
  readonly cityKeys?: readonly string[] | undefined
  /** Tags that `tag` means; any of them is enough. */
  readonly tags?: readonly string[] | undefined
  /** True if so few orders have the tags that all of them can be read. */
  readonly isTagRare?: boolean
}

/** Builds the conditions of the filters with one value on an order `o`, with the columns of its copy. */
export function filterConditions(sql: Queryable, filter: Filter, { state, tags }: ResolvedFilters): Fragment {
  const { assignedTo, promoCode, source, connectorId, externalId, paymentStatus, printed, waitingSince } = filter
  const isOfNobody = assignedTo === UNASSIGNED
  const equal = {
    'o.assigned_to': isOfNobody ? undefined : assignedTo,
    'o.source': source,
    'o.connector_id': connectorId,
    'o.external_id': externalId,
    'o.payment_status': paymentStatus,
    'o.printed': printed,
  }
  return sql`${equalsCondition(sql, equal)}
    ${promoCode === undefined ? sql`` : sql`and o.promo_code = lower(${promoCode})`}
    ${isOfNobody ? sql`and o.assigned_to is null` : sql``}
    ${tags === undefined ? sql`` : sql`and o.tags && ${tags as string[]}::text[]`}
    ${waitingSince === undefined ? sql`` : sql`and o.waiting_since <= ${waitingSince}`}
    ${totalBetween(sql, filter)} ${stateCondition(sql, state)} ${createdBetween(sql, filter)}`
}

const totalBetween = (sql: Queryable, { minTotal, maxTotal }: Filter): Fragment =>
  sql`${minTotal === undefined ? sql`` : sql`and o.total >= ${minTotal}`} ${maxTotal === undefined ? sql`` : sql`and o.total <= ${maxTotal}`}`

function stateCondition(sql: Queryable, state: StateFilter | undefined): Fragment {
  if (!state) return sql``
  const { stateCode, current } = state
  if (!current) return sql`and o.state_code = ${stateCode}`
  return sql`and o.state_code = any (${[stateCode, current.code]}) and (o.state_code = ${current.code}
    or o.current_state_code = ${current.code} or o.city_code = any (${[...current.cityCodes]}))`
}

/** Filters by creation time. Ids sort by creation time, so the index of `idColumn` bounds the range. */
export function createdBetween(sql: Queryable, { from, to }: Filter, idColumn = 'o.id'): Fragment {
  const [first, last] = idRangeBetween('ord', from, to)
  return sql`${from === undefined ? sql`` : sql`and o.created_at >= ${from} and ${sql(idColumn)} >= ${first}`}
    ${to === undefined ? sql`` : sql`and o.created_at < ${to} and ${sql(idColumn)} < ${last}`}`
}

/** Builds the condition that an order `o` matches a search. */
export const searchCondition = (sql: Queryable, q: string) =>
  orderSearchPatterns(q).reduce(
    (any, patterns) => sql`${any} or (${allPatternsMatch(sql, patterns)})`,
    sql`o.reference = ${q.trim().toUpperCase()}`,
  )

const allPatternsMatch = (sql: Queryable, patterns: readonly string[]) =>
  patterns.reduce((all, pattern) => sql`${all} and o.search_text like ${pattern}`, sql`true`)
