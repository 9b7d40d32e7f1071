import type { Tx } from '../../../data/sql.ts'
import { type Decimal, decimalNumber } from '../../../lib/money/decimal.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import type { Operation } from '../inventory.model.ts'
import type { Address, Stock } from './ledger.ts'
import { asOperation, insertOperation, type Posting } from './operations.queries.ts'

/** Writes an operation and emits its events, in two statements sent together. */
export async function record(tx: Tx, projectId: string, posting: Posting): Promise<Operation> {
  const operation = asOperation(posting.head, posting.entries)
  const stock = posting.changes.map(({ after }) => stockChanged(projectId, after, operation.id))
  await Promise.all([
    insertOperation(tx, projectId, posting),
    emitWebhook(tx, [{ projectId, type: 'inventory.operation.posted', data: { ...operation } }, ...stock]),
  ])
  return operation
}

/** Builds the event of a changed balance. `operationId` is null where a reservation changed the available quantity. */
export const stockChanged = (
  projectId: string,
  { namespace, key, batch, onHand, reserved }: Pick<Stock, keyof Address | 'onHand' | 'reserved'>,
  operationId: string | null,
) => ({
  projectId,
  type: 'inventory.stock.changed' as const,
  topic: `${namespace}/${key}`,
  orderKey: `${namespace}/${key}`,
  data: { namespace, key, batch, ...counters(onHand, reserved), operationId },
})

const counters = (onHand: Decimal, reserved: Decimal) => ({
  onHand: decimalNumber(onHand),
  reserved: decimalNumber(reserved),
  available: decimalNumber(onHand - reserved),
})
