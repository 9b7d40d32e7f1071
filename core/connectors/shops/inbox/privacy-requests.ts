import type { PrivacyAsked } from '../../../../plugins/connector/model.ts'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { findPublicUser } from '../../../identity/auth/account.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'
import { markSignInEnded } from '../../../integrations/connections/oauth-client/renew-tokens.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import type { ProvenWebhook } from '../../../integrations/webhook-intake/webhook-handlers.ts'
import { requestErasure } from '../../../orders/privacy/request-erasure.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import type { Shop } from '../orders/import-order.ts'
import { eraseShopCustomers, listImportedOrders, listOrderNumbers, listUnmade } from '../orders/shop-orders.queries.ts'
import { connectorShopErrors } from '../shops.errors.ts'
import { deleteProcessedWebhooks } from './received-webhooks.queries.ts'

const TEST_MS = 20_000
const FORGOTTEN_AT_ONCE = 500
const PEOPLE_AT_ONCE = 200
/** Largest number of orders that an email lists. */
const NAMED_MAX = 50

/**
 * Returns true if a webhook contains nothing but erasure requests, which a shop may send after it has disconnected. Throws `upstream_error`
 * if it could not be read, so that the shop sends it again.
 */
export function hasOnlyErasureRequests(webhook: ProvenWebhook<'connector'>): boolean {
  if (webhook.outcome === 'unread') throw connectorShopErrors.webhookUnread()
  return (
    webhook.outcome === 'events' &&
    webhook.signed &&
    webhook.events.length > 0 &&
    webhook.events.every(({ privacy }) => privacy?.wants === 'forget')
  )
}

/**
 * Handles a report that a shop has revoked access. The report may be outdated, so the credentials are tested first. If the shop rejects
 * them, the sign-in is ended and the owner is notified.
 */
export async function confirmRevocation(context: Context, connection: ConnectorConnection): Promise<void> {
  const options = { operation: 'left', deadlineMs: TEST_MS }
  await callAdapter(context, connection, (adapter, own) => adapter.testConnection(own), options).catch((error: unknown) => {
    if (!(error instanceof AdapterFailure) || error.reason !== 'unauthorized') throw error
    return markSignInEnded(context, connection)
  })
}

/**
 * Handles a privacy request that a shop relays. `forget` erases the customers of the given orders, or of all, and the shop's data about
 * them. `disclose` is left to the store's owner. Emails the owner once with the affected orders. `about` is the id of the webhook.
 */
export async function handlePrivacyRequest(
  context: Context,
  { connection, store }: Shop,
  request: PrivacyAsked,
  about: string,
): Promise<void> {
  const { row } = connection
  const { wants, orders } = request
  const numbers = orders === null ? [] : await listOrderNumbers(context.sql, row, orders, NAMED_MAX)
  if (wants === 'forget') {
    while ((await deleteProcessedWebhooks(context.sql, row, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
    await erasePeople(context, row, store, orders)
    await eraseUnmade(context, row, store, orders)
    while ((await eraseShopCustomers(context.sql, row, orders, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
  }
  if (numbers.length === 0) return
  const { label } = connection.mounted.adapter
  const values = { store: store.name, shop: row.name ? `${label} (${row.name})` : label, orders: numbers.join(', ') }
  const template = wants === 'forget' ? 'customer_forgotten' : 'customer_asks'
  await transaction(context.sql, async (tx) => {
    const owner = await findPublicUser(tx, store.ownerId)
    if (owner) await context.mail.send(tx, { to: owner.email, template, values, once: `privacy ${about} ${numbers[0]}` })
  })
}

/** Requests the erasure of the customers of these orders, or of all orders of the connection. Skips customers that are erased already. */
async function erasePeople(context: Context, connection: ConnectionRef, store: Store, externalIds: readonly string[] | null) {
  for (let after = ''; ; ) {
    const orders = await listImportedOrders(context.sql, connection, externalIds, after, PEOPLE_AT_ONCE)
    const last = orders.at(-1)
    if (!last) return
    const orderIds = orders.map(({ orderId }) => orderId)
    await transaction(context.sql, (tx) => requestErasure(context, tx, store, 'shop', { orderIds }))
    after = last.id
  }
}

/** Erases the people of orders that never became one of ours: traces of pulls and chats may name them. */
async function eraseUnmade(context: Context, connection: ConnectionRef, store: Store, externalIds: readonly string[] | null) {
  for (let after = ''; ; ) {
    const shopOrderIds = await listUnmade(context.sql, connection, externalIds, after, PEOPLE_AT_ONCE)
    const last = shopOrderIds.at(-1)
    if (last === undefined) return
    await transaction(context.sql, (tx) => requestErasure(context, tx, store, 'shop', { shopOrderIds }))
    after = last
  }
}
