import type { Static } from '@sinclair/typebox'
import type { Sql } from '../../data/sql.ts'
import { invalid } from '../../http/errors/errors.ts'
import { list } from '../../http/resource/list.ts'
import { notOurs } from '../../http/resource/page.ts'
import { listBalances } from './balances.queries.ts'
import { balanceList, movementList, operationList } from './inventory.model.ts'
import type { Address } from './operations/ledger.ts'
import { listMovements, listOperations, type MovementFilter, type Period } from './operations/operations.queries.ts'

export type OperationQuery = Static<typeof operationList.query>
export type MovementQuery = Static<typeof movementList.query>
export type BalanceQuery = Static<typeof balanceList.query>

export function pageOfOperations(sql: Sql, projectId: string, query: OperationQuery) {
  const period = readPeriod(query)
  return list(sql, operationList, query, (reader, { filter, slice }) => listOperations(reader, projectId, { ...period, ...filter }, slice))
}

export async function pageOfMovements(sql: Sql, projectId: string, query: MovementQuery) {
  const filter = { ...readPeriod(query), ...readSubject(query) }
  const { data, nextCursor } = await list(
    sql,
    movementList,
    query,
    (reader, asked) => listMovements(reader, projectId, filter, asked.slice),
    ({ position }) => String(position),
  )
  return { data: data.map(({ movement }) => movement), nextCursor }
}

export function pageOfBalances(sql: Sql, projectId: string, query: BalanceQuery) {
  return list(
    sql,
    balanceList,
    query,
    (reader, { filter, slice: { after, take } }) => listBalances(reader, projectId, filter, after && readAddress(after.id), take),
    ({ namespace, key, batch }) => JSON.stringify([namespace, key, batch]),
  )
}

function readSubject({ objectId, holderRef, operationId }: MovementQuery): MovementFilter {
  const [subject, another]: MovementFilter[] = [
    ...(objectId === undefined ? [] : [{ objectId }]),
    ...(holderRef === undefined ? [] : [{ holderRef }]),
    ...(operationId === undefined ? [] : [{ operationId }]),
  ]
  if (!subject || another) throw invalid('/query', 'Name exactly one of objectId, holderRef and operationId.')
  return subject
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

function readAddress(text: string): Address {
  try {
    const [namespace, key, batch] = JSON.parse(text) as unknown[]
    if (typeof namespace === 'string' && typeof key === 'string' && typeof batch === 'string') return { namespace, key, batch }
  } catch {
    // falls through to the one answer for all wrong cursors
  }
  throw notOurs()
}
