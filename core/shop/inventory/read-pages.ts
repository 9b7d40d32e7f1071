import type { Static } from '@sinclair/typebox'
import type { Sql } from '../../data/sql.ts'
import { readList } from '../../http/resource/list.ts'
import { foreignCursor } from '../../http/resource/page.ts'
import type { FieldPath } from '../../lib/errors/domain-error.ts'
import { listBalances } from './balances.queries.ts'
import { inventoryErrors } from './inventory.errors.ts'
import { balanceList, movementList, operationList } from './inventory.model.ts'
import type { BalanceAddress } from './operations/ledger.ts'
import { listMovements, listOperations, type MovementFilter, type Period } from './operations/operations.queries.ts'

/** Query of the list of operations. */
export type OperationQuery = Static<typeof operationList.query>
/** Query of the list of movements. */
export type MovementQuery = Static<typeof movementList.query>
/** Query of the list of balances. */
export type BalanceQuery = Static<typeof balanceList.query>

/** Reads a page of operations. */
export function readOperationsPage(sql: Sql, projectId: string, query: OperationQuery) {
  const period = parsePeriod(query)
  return readList(sql, operationList, query, (reader, { filter, page: slice }) =>
    listOperations(reader, projectId, { ...period, ...filter }, slice),
  )
}

/** Reads a page of movements of one item, namespace or operation. */
export async function readMovementsPage(sql: Sql, projectId: string, query: MovementQuery) {
  const filter = { ...parsePeriod(query), ...parseSubject(query) }
  const { data, nextCursor } = await readList(
    sql,
    movementList,
    query,
    (reader, asked) => listMovements(reader, projectId, filter, asked.page),
    ({ position }) => String(position),
  )
  return { data: data.map(({ movement }) => movement), nextCursor }
}

/** Reads a page of balances. */
export function readBalancesPage(sql: Sql, projectId: string, query: BalanceQuery) {
  return readList(
    sql,
    balanceList,
    query,
    (reader, { filter, page: { after, limit: take } }) => listBalances(reader, projectId, filter, after && parseAddress(after.id), take),
    ({ namespace, key, batch }) => JSON.stringify([namespace, key, batch]),
  )
}

function parseSubject({ objectId, holderRef, operationId }: MovementQuery): MovementFilter {
  const [subject, another]: MovementFilter[] = [
    ...(objectId === undefined ? [] : [{ objectId }]),
    ...(holderRef === undefined ? [] : [{ holderRef }]),
    ...(operationId === undefined ? [] : [{ operationId }]),
  ]
  if (!subject || another) throw inventoryErrors.filterAmbiguous({ field: [] })
  return subject
}

function parsePeriod({ from, to }: Period): Period {
  return {
    ...(from !== undefined && { from: parseTime(from, ['from']) }),
    ...(to !== undefined && { to: parseTime(to, ['to']) }),
  }
}

/** Parses a time into ISO 8601. Throws `invalid_request` for a date that does not exist, such as 30 February. */
export function parseTime(text: string, field: FieldPath): string {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw inventoryErrors.dateInvalid({ field })
  return time.toISOString()
}

function parseAddress(text: string): BalanceAddress {
  try {
    const [namespace, key, batch] = JSON.parse(text) as unknown[]
    if (typeof namespace === 'string' && typeof key === 'string' && typeof batch === 'string') return { namespace, key, batch }
  } catch {
    // Throws the same error as for every other invalid cursor, below.
  }
  throw foreignCursor()
}
