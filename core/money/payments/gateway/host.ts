import type { Context } from '../../../context.ts'
import { serverAddress } from '../../../http/address/server-address.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { preferredLanguage } from '../../../http/pages/language.ts'
import { notEnabledError, openConnection } from '../../../integrations/connections/connection.ts'
import { findConnectionByKey } from '../../../integrations/connections/connections.queries.ts'
import { webhookUrlOf } from '../../../integrations/connections/webhook-url.ts'
import type { OperationCall } from '../../../integrations/operations/operation-registry.ts'
import { receiveAtStore } from '../../../integrations/webhook-intake/receive-webhook.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { findOrderById } from '../../../orders/orders.queries.ts'
import { accessStorefront } from '../../../shop/stores/access.ts'
import { handleNotification } from '../events/receive-callback.ts'
import { initiatePayment } from '../initiate-payment.ts'
import { assertReturnAddress } from '../pages.ts'
import { paymentErrors } from '../payments.errors.ts'
import { presentPublicPayment } from '../present.ts'

/**
 * Starts a payment of an order for a member, an API key, or a customer if the store allows public orders. A customer needs only the order's
 * id.
 */
export async function beginCheckout(context: Context, { adapter, params, body, caller, request }: OperationCall<'payment', 'initiate'>) {
  const order = await findOrderById(context.sql, params.id)
  if (!order) throw notFound('The order')
  const { store, audience } = await accessStorefront(context, caller as Principal | null, order.storeId, ['agent', 'orders:write'])
  if (audience === 'public' && store.settings.publicOrders === false) throw paymentErrors.membersOnly()
  const language = body?.language ?? preferredLanguage(request)
  const asked = { ...body, ...(language && { language }) }
  if (audience === 'public' && asked.returnTo !== undefined) throw paymentErrors.returnPageForbidden({ field: ['returnTo'] })
  assertReturnAddress(asked.returnTo)
  const row = await findConnectionByKey(context.sql, store.id, adapter.slug)
  if (!row?.enabled) throw notEnabledError('payment', `The store has not enabled ${adapter.label}.`)
  const connection = openConnection(context, 'payment', row)
  const addresses = { origin: serverAddress(context), webhook: webhookUrlOf(context, connection) }
  const payment = await initiatePayment(context, { store, orderId: order.id }, connection, asked, addresses)
  return presentPublicPayment(payment)
}

/**
 * Handles the common webhook address of all stores. With `storeId` it verifies signed events of that store; otherwise it polls the named
 * checkout.
 */
export async function receiveNotification(context: Context, { adapter, inbound, request }: OperationCall<'payment', 'notified'>) {
  const query = new URL(request.url).searchParams
  const storeId = query.get('storeId')
  if (storeId !== null && inbound && request.method === 'POST') {
    await receiveAtStore(context, 'payment', adapter.slug, storeId, inbound)
    return { received: true }
  }
  const name = adapter.returns ?? 'id'
  const externalId = query.get(name)
  if (!externalId || externalId.length > 200) throw paymentErrors.checkoutUnnamed({ field: [name] })
  await handleNotification(context, adapter.slug, externalId)
  return { received: true }
}
