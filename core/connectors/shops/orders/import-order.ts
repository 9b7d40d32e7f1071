import { savepoint, type Tx } from '../../../data/sql.ts'
import { connectionActor, runAsActor } from '../../../data/tenant-context.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'
import type { ErrorCode } from '../../../lib/errors/codes.ts'
import { DomainError, isRefusal } from '../../../lib/errors/domain-error.ts'
import { changeOrder } from '../../../orders/change/change.ts'
import { createOrder } from '../../../orders/create/create.ts'
import { findOrder } from '../../../orders/orders.queries.ts'
import { endedStatuses } from '../../../orders/statuses.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import type { ExternalOrder, ImportProblem } from '../connectors.model.ts'
import { buildNewOrder, buildOrderChange, externalPricingOf, hasDifferentGoods, hasPhone } from './build-order.ts'
import { describeCurrency, describeMissingGoods, describeMissingPhone, describeRefusal } from './import-reasons.ts'
import { matchShopGoods } from './match-goods.ts'
import { requestPendingImport } from './request-pending-import.ts'
import { type ShopOrderRow, updateShopOrder } from './shop-orders.queries.ts'

const BUSY_MS = 120_000
const CANCELLED_AT_SHOP = 'The shop cancelled it.'
const REOPENED_AT_SHOP = 'The shop reopened it.'

/** Connection to a shop, and the store that it belongs to. */
export interface Shop {
  readonly connection: ConnectorConnection
  readonly store: Store
}

/** Outcome of an import. */
export type ImportOutcome = 'created' | 'changed' | 'waiting' | 'over' | 'same'

/** Imports a locked order of a shop, or applies its change to the imported order, with the connection as the actor. */
export const importOrder = (tx: Tx, shop: Shop, row: ShopOrderRow): Promise<ImportOutcome> =>
  runAsActor(connectionActor('connector', row.connectionId), () => importRow(tx, shop, row))

async function importRow(tx: Tx, shop: Shop, row: ShopOrderRow): Promise<ImportOutcome> {
  const { told } = row
  if (row.orderId !== null && row.applied !== null) return applyChange(tx, shop, row, row.orderId, row.applied)
  // An order that was sent or cancelled before its first import is not imported.
  if (told.status !== 'open') {
    await updateShopOrder(tx, row, { state: 'over', why: null, message: null, missing: [], raw: null })
    return 'over'
  }
  const { store } = shop
  if (told.currency !== store.currencyCode) return markWaiting(tx, row, 'currency', describeCurrency(told.currency, store.currencyCode))
  if (!hasPhone(told)) return markWaiting(tx, row, 'phone', describeMissingPhone())
  const matched = await matchShopGoods(tx, shop.connection.row, told.items)
  if (matched.missing.length > 0) return markWaiting(tx, row, 'goods', describeMissingGoods(told.items, matched.missing), matched.missing)
  const { connection } = shop
  const channel = { key: connection.row.key, connectionId: connection.row.id }
  const from = { connectorId: row.connectionId, externalId: row.externalId }
  const made = await runOrRefuse(tx, (inner) =>
    createOrder(inner, store, buildNewOrder(store, channel, told, matched), {
      source: 'connector',
      address: '',
      connector: from,
      ...externalPricingOf(told),
    }),
  )
  if (made instanceof DomainError) return markWaiting(tx, row, problemOf(made) ?? 'refused', describeRefusal(made, told, store.countryCode))
  // A shop that received the state "waiting" must also receive that the order was imported.
  const pushed = connection.mounted.adapter.pushStates ? null : { status: made.status, trackingId: null, word: null, why: null }
  await updateShopOrder(tx, row, {
    state: 'taken',
    why: null,
    message: null,
    missing: [],
    raw: null,
    orderId: made.id,
    applied: told,
    pushed,
  })
  return 'created'
}

async function markWaiting(
  tx: Tx,
  row: ShopOrderRow,
  why: ImportProblem,
  message: string,
  missing: readonly string[] = [],
): Promise<ImportOutcome> {
  await updateShopOrder(tx, row, { state: 'waiting', why, message, missing: [...missing] })
  return 'waiting'
}

/** Applies a change of the shop while no carrier has the order; afterwards records that it is not applied. */
async function applyChange(tx: Tx, shop: Shop, row: ShopOrderRow, orderId: string, applied: ExternalOrder): Promise<ImportOutcome> {
  const { store } = shop
  const { told } = row
  const isOff = told.status === 'cancelled'
  const wasOff = applied.status === 'cancelled'
  const matched =
    !isOff && hasDifferentGoods(told, applied)
      ? await matchShopGoods(tx, shop.connection.row, told.items)
      : { found: new Map<string, never>(), missing: [] }
  if (matched.missing.length > 0)
    return markNotApplied(
      tx,
      row,
      'busy',
      `The shop changed the goods. ${describeMissingGoods(told.items, matched.missing)}`,
      matched.missing,
    )
  const change = isOff ? {} : buildOrderChange(store, told, applied, matched)
  const done = await runOrRefuse(tx, async (inner) => {
    if (isOff && !wasOff && !(await hasEnded(inner, store, orderId)))
      await changeOrder(inner, store, orderId, { status: 'cancelled', reason: CANCELLED_AT_SHOP })
    if (wasOff && !isOff) await changeOrder(inner, store, orderId, { status: 'pending', reason: REOPENED_AT_SHOP })
    if (Object.keys(change).length > 0) await changeOrder(inner, store, orderId, change, externalPricingOf(told).externalPricing)
  })
  if (done instanceof DomainError) {
    if (done.code !== 'outcome_unknown')
      return markNotApplied(tx, row, problemOf(done) ?? 'not_followed', describeRefusal(done, told, store.countryCode))
    // The next run, in two minutes, knows whether a carrier has it.
    await requestPendingImport(tx, row.connectionId, BUSY_MS)
    return markNotApplied(tx, row, 'busy', describeRefusal(done, told, store.countryCode))
  }
  await updateShopOrder(tx, row, { applied: told, why: null, message: null, missing: [], raw: null })
  return isOff !== wasOff || Object.keys(change).length > 0 ? 'changed' : 'same'
}

/** Returns true if the order has ended here. Its cancellation at the shop is then the result of a push. */
async function hasEnded(tx: Tx, { id: storeId }: Store, id: string): Promise<boolean> {
  const order = await findOrder(tx, { storeId, id })
  return order !== undefined && endedStatuses.includes(order.status)
}

async function markNotApplied(
  tx: Tx,
  row: ShopOrderRow,
  why: ImportProblem,
  message: string,
  missing: readonly string[] = [],
): Promise<ImportOutcome> {
  await updateShopOrder(tx, row, { why, message, missing: [...missing] })
  return 'same'
}

/** Runs work in a savepoint. Returns a refusal, without any effect; throws temporary errors, which are retried. */
async function runOrRefuse<V>(tx: Tx, work: (inner: Tx) => Promise<V>): Promise<V | DomainError> {
  try {
    return await savepoint(tx, work)
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
}

/** Reasons that users can resolve in the shop or in their stock. */
const problemsByCode: Partial<Record<ErrorCode, ImportProblem>> = { invalid_phone: 'phone', reserved_stock_conflict: 'stock' }
const problemOf = ({ code }: DomainError): ImportProblem | undefined => problemsByCode[code]
