import type { Tx } from '../../../data/sql.ts'
import { type Decimal, decimalNumber } from '../../../lib/money/decimal.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import type { Operation } from '../inventory.model.ts'
import type { BalanceAddress, StockBalance } from './ledger.ts'
import { insertOperation, type Posting, presentOperation } from './operations.queries.ts'

/** Writes an operation and emits its events, in two statements sent together. */
export async function recordOperation(tx: Tx, projectId: string, posting: Posting): Promise<Operation> {
  const operation = presentOperation(posting.head, posting.entries)
  const stock = posting.changes.map(({ after }) => stockChangedEvent(projectId, after, operation.id))
  await Promise.all([
    insertOperation(tx, projectId, posting),
    emitWebhook(tx, [{ projectId, type: 'inventory.operation.posted', data: { ...operation } }, ...stock]),
  ])
  return operation
}

/** Builds the event of a changed balance. `operationId` is null where a reservation changed the available quantity. */
export const stockChangedEvent = (
  projectId: string,
  { namespace, key, batch, onHand, reserved }: Pick<StockBalance, keyof BalanceAddress | 'onHand' | 'reserved'>,
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
