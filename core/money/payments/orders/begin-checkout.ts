import type { Context } from '../../../context.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { preferredLanguage } from '../../../http/pages/language.ts'
import { notEnabledError, openConnection } from '../../../integrations/connections/connection.ts'
import { notEnabledSentences } from '../../../integrations/connections/connections.errors.ts'
import { findConnectionByKey } from '../../../integrations/connections/connections.queries.ts'
import type { OperationCall } from '../../../integrations/operations/operation-registry.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { findOrderById } from '../../../orders/orders.queries.ts'
import { accessStorefront } from '../../../shop/stores/access.ts'
import { assertReturnAddress } from '../pages.ts'
import { paymentErrors } from '../payments.errors.ts'
import { initiatePayment } from './initiate-payment.ts'
import { presentPublicPayment } from './present.ts'

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
  if (!row?.enabled) throw notEnabledError('payment', notEnabledSentences.notOfStore(adapter.label))
  const payment = await initiatePayment(context, { store, orderId: order.id }, openConnection(context, 'payment', row), asked)
  return presentPublicPayment(payment)
}
