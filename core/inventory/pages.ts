import type { Queryable } from '../data/sql.ts'
import { invalid } from '../http/errors.ts'
import { decodeCursor, PAGE_DEFAULT, page, toPage } from '../http/page.ts'
import { listBalances } from './balances.queries.ts'
import type { BalanceQuery, MovementQuery, OperationQuery } from './inventory.model.ts'
import type { Address } from './ledger.ts'
import { listMovements, listOperations, type Moment, type MovementFilter, type Period } from './operations.queries.ts'

const SEPARATOR = ' '
const POSITION = /^\d{1,18}$/

export function pageOfOperations(sql: Queryable, projectId: string, { limit, cursor, type, reference, ...times }: OperationQuery) {
  const filter = { ...readPeriod(times), ...(type && { type }), ...(reference && { reference }) }
  return page(
    input(limit, cursor),
    (after, take) => listOperations(sql, projectId, filter, readMoment(after), take),
    (row) => momentText(row.createdAt, row.id),
  )
}

export async function pageOfMovements(sql: Queryable, projectId: string, query: MovementQuery) {
  const limit = query.limit ?? PAGE_DEFAULT
  const before = readMoment(decodeCursor(query.cursor))
  if (before && !POSITION.test(before.key)) throw notOurs()
  const rows = await listMovements(sql, projectId, { ...readPeriod(query), ...readSubject(query) }, before, limit + 1)
  const { data, nextCursor } = toPage(rows, limit, ({ movement, position }) => momentText(movement.createdAt, String(position)))
  return { data: data.map((row) => row.movement), nextCursor }
}

export function pageOfBalances(sql: Queryable, projectId: string, { limit, cursor, ...filter }: BalanceQuery) {
  return page(
    input(limit, cursor),
    (after, take) => listBalances(sql, projectId, filter, readAddress(after), take),
    ({ namespace, key, batch }) => JSON.stringify([namespace, key, batch]),
  )
}

const input = (limit?: number, cursor?: string) => ({
  ...(limit !== undefined && { limit }),
  ...(cursor !== undefined && { cursor }),
})

function readSubject({ objectId, holderRef, operationId }: MovementQuery): MovementFilter {
  const given = [objectId, holderRef, operationId].filter((value) => value !== undefined)
  if (given.length !== 1) throw invalid('/query', 'Name exactly one of objectId, holderRef and operationId.')
  if (objectId !== undefined) return { objectId }
  if (holderRef !== undefined) return { holderRef }
  return { operationId: operationId! }
}

function readPeriod({ from, to }: Period): Period {
  return {
    ...(from !== undefined && { from: readTime(from, '/query/from') }),
    ...(to !== undefined && { to: readTime(to, '/query/to') }),
  }
}

/** A date can look right and not exist. */
export function readTime(text: string, path: string): string {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw invalid(path, 'There is no such time.')
  return time.toISOString()
}

const momentText = (at: string, key: string) => `${at}${SEPARATOR}${key}`

function readMoment(after: string | null): Moment | null {
  if (after === null) return null
  const [at, key] = after.split(SEPARATOR)
  if (!at || !key || Number.isNaN(Date.parse(at))) throw notOurs()
  return { at: new Date(at).toISOString(), key }
}

function readAddress(after: string | null): Address | null {
  if (after === null) return null
  try {
    const [namespace, key, batch] = JSON.parse(after) as unknown[]
    if (typeof namespace === 'string' && typeof key === 'string' && typeof batch === 'string') return { namespace, key, batch }
  } catch {
    // falls through to the one answer for all wrong cursors
  }
  throw notOurs()
}

const notOurs = () => invalid('/query/cursor', 'This cursor was not given by this list. Start without one.')
