import { Type as T } from '@sinclair/typebox'
import { AccountId } from '../../../../plugins/connector/model.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import type { DomainError } from '../../../lib/errors/domain-error.ts'
import { transferOrders } from '../inbox/transfer-orders.ts'
import { findOrInsertShopSync, lockShopSync, updateShopSync } from '../shop-sync.queries.ts'
import { connectorShopErrors } from '../shops.errors.ts'
import {
  hasShopOrder,
  hasShopOrders,
  listConnectionsOfAccount,
  listConnectionsWithOrder,
  listDeletedConnectionsOfAccount,
  lockAccount,
  lockOrderAssignment,
} from '../shops.queries.ts'

const ASK_MS = 10_000

/**
 * Verifies the account of a connection before its first order and after each change of its credentials. A store has one connection per
 * account; the new one receives the orders of a deleted one. Returns the reason if this connection must not import orders.
 */
export async function findAccountProblem(context: Context, connection: ConnectorConnection): Promise<string | undefined> {
  const { account: ask } = connection.mounted.adapter
  if (!ask || !(await findOrInsertShopSync(context.sql, connection.row)).accountUnsure) return undefined
  const options = { operation: 'account', deadlineMs: ASK_MS, schema: T.Union([AccountId, T.Null()]) }
  const account = await callAdapter(context, connection, (_, own) => ask(own), options).catch(accountUnknown)
  return account === null ? undefined : transaction(context.sql, (tx) => claimAccount(tx, connection, account))
}

/** Returns null if the account cannot be read, which does not prevent the import of orders. Throws any other error. */
function accountUnknown(error: unknown): null {
  if (error instanceof AdapterFailure && (error.reason === 'refused' || error.reason === 'not_found')) return null
  throw error
}

async function claimAccount(tx: Tx, connection: ConnectorConnection, account: string): Promise<string | undefined> {
  const { row } = connection
  const { storeId, key } = row
  const at = { storeId, key, account }
  await lockAccount(tx, at)
  await lockShopSync(tx, row)
  const conflict = await findAccountConflict(tx, connection, account)
  if (conflict !== undefined) return conflict.message
  for (const once of await listDeletedConnectionsOfAccount(tx, at)) await transferOrders(tx, once.id, row)
  await updateShopSync(tx, row, { account, accountUnsure: false })
  return undefined
}

/** Returns the "conflict" error of a connection that may not belong to this account; undefined if it may. */
export async function findAccountConflict(
  tx: Tx,
  { row, mounted }: ConnectorConnection,
  account: string,
): Promise<DomainError | undefined> {
  const { id, storeId, key } = row
  const { label } = mounted.adapter
  const { account: before } = await findOrInsertShopSync(tx, row)
  if (before !== null && before !== account && (await hasShopOrders(tx, row))) return connectorShopErrors.connectionOfOtherShop({ label })
  const other = (await listConnectionsOfAccount(tx, { storeId, key, account })).find((one) => one.id !== id)
  return other && connectorShopErrors.shopConnectedTwice({ label, name: other.name || other.id })
}

/**
 * Returns true if another connection of the store has this order, so that it is not imported twice. Transfers orders from deleted
 * connections. Only for platforms whose order ids are unique across shops.
 */
export async function isOrderOfAnotherConnection(tx: Tx, { row, mounted }: ConnectorConnection, externalId: string): Promise<boolean> {
  if (!mounted.adapter.uniqueOrders || (await hasShopOrder(tx, row, externalId))) return false
  await lockOrderAssignment(tx, row)
  const others = await listConnectionsWithOrder(tx, row, externalId)
  if (others.some(({ isThere }) => isThere)) return true
  for (const { id } of others) await transferOrders(tx, id, row)
  return false
}
