import { Type as T, type TSchema } from '@sinclair/typebox'
import { PLATFORM_PROJECT_ID } from '../../data/project-ids.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { parseAmount } from '../body/amount.ts'
import { ApiError } from '../errors/errors.ts'
import type { RouteRequest } from '../route.ts'
import { type Change, present } from './resource.model.ts'
import { findItem, keyOf, type ResourceState, sqlOf } from './resource-state.ts'
import { countRows, findRow, lockRowsOf, type Row, updateRow, type Values } from './rows.queries.ts'

/** Completes the values of a creation or a replacement: missing fields get their default or null. */
export const withDefaults = ({ shape, definition: { defaults } }: ResourceState, body: Values): Values => ({
  ...Object.fromEntries(shape.writable.map((column) => [column, null])),
  ...defaults,
  ...body,
})

/** Changes the row that the path names, in a transaction with the reactions of the resource. */
export async function updateItem(
  made: ResourceState,
  ask: RouteRequest,
  verb: 'replace' | 'patch',
  values: Values,
): Promise<{ data: Row }> {
  const { definition, ownership, shape } = made
  const row = await findItem(made, ask)
  const owner = await ownership.write(ask.caller, row, 'change')
  assertDecimals(made, ask.body)
  return transaction(sqlOf(made), async (tx) => {
    const prepared = await prepare(made, tx, { verb, owner, row, values })
    const before = await readLocked(made, tx, row)
    const changed = await updateRow(tx, shape.table, keyOf(made, row), { ...prepared, ...definition.deriveValues?.(values) })
    if (!changed) throw notFound(`The ${definition.name}`)
    const after = present(changed, shape)
    await definition.onWritten?.(tx, { verb, owner, before, after })
    return { data: after }
  })
}

/** Reads the row under the lock, if the resource reacts to writes. Null otherwise. */
export async function readLocked(made: ResourceState, tx: Tx, row: Row): Promise<Row | null> {
  const { definition, shape } = made
  if (!definition.onWritten) return null
  const before = await findRow(tx, shape.table, [[keyOf(made, row)]])
  return before ? present(before, shape) : null
}

/**
 * Returns the values to store. Throws `conflict` if the owner has the maximum number of rows, and whatever the definition's check throws.
 * Then serializes the writes of one owner.
 */
export async function prepare(made: ResourceState, tx: Tx, change: Change): Promise<Change['values']> {
  const { maxRows: most, check, normalize, onWritten: wrote, name, plural = `${name}s` } = made.definition
  const counts = most !== undefined && change.verb === 'create'
  if (!counts && !check && !normalize && !wrote) return change.values
  const projectId = change.owner?.projectId ?? PLATFORM_PROJECT_ID
  await lockRowsOf(tx, made.shape.table, projectId)
  if (counts && (await countRows(tx, made.shape.table, made.ownership.isOwned ? [[{ projectId }]] : [])) >= most)
    throw new ApiError('conflict', `There are already ${most} ${plural}, which is the maximum. Delete one first.`)
  await check?.(tx, change)
  return { ...change.values, ...(await normalize?.(tx, change)) }
}

/** Throws if a value has more decimals than its column, which would round it silently. */
export function assertDecimals({ shape, definition: { fields } }: ResourceState, values: Values): void {
  for (const column of shape.numeric) {
    const value = values[column]
    if (typeof value === 'number') parseAmount(value, [column], decimalsOf(fields.properties[column]))
  }
}

function decimalsOf(schema: TSchema = T.Number()): number {
  const schemas: readonly TSchema[] = [schema, ...((schema.anyOf as TSchema[] | undefined) ?? [])]
  return (schemas.find((each) => 'x-decimals' in each)?.['x-decimals'] as number | undefined) ?? 4
}
