import type { Context } from '../../context.ts'
import { sendOrder } from '../../fulfilment/sending/send-order.ts'
import type { Principal } from '../../http/auth/principal.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { isPending } from '../../logistics/parcels/lifecycle/wait-for-outcomes.ts'
import { presentSendingResponse } from '../../logistics/parcels/present.ts'
import { findOrder } from '../../orders/orders.queries.ts'
import { assertConfirmed, readSendRule } from '../../orders/parcels/send-rule.ts'
import { accessProduct, resolveStore } from '../../shop/stores/access.ts'

interface SendInput {
  readonly storeId?: string
  readonly orderId: string
  readonly carrier: string
  readonly force?: boolean
}
type SendCaller = { readonly caller: Principal }

/**
 * Checks that the caller may send the order. Returns its store and the question that a person confirms. Throws `not_found`,
 * `order_not_confirmed`.
 */
export async function prepareSending(context: Context, { caller }: SendCaller, { storeId, orderId, carrier, force }: SendInput) {
  const { id } = await resolveStore(context, caller, storeId, ['agent', 'orders:write'])
  const store = await accessProduct(context, caller, id, ['agent', 'orders:write'], 'parcels')
  const order = await findOrder(context.sql, { storeId: store.id, id: orderId })
  if (!order) throw notFound('The order')
  assertConfirmed(order, await readSendRule(context.sql, store.id, { force }))
  // Contains no text of the customer, which could mislead the person who confirms.
  const question = `Send order ${order.reference} (${order.total} ${store.currencyCode}, ${order.status}) with ${carrier}${force ? ', although nobody may have confirmed it' : ''}?`
  return { store, question }
}

/**
 * Sends an order to a carrier, and waits for the carrier as long as the route does. `stillGoingOn` is true when it has not answered by
 * then.
 */
export async function sendForAgent(context: Context, sendCaller: SendCaller, input: SendInput) {
  const { store } = await prepareSending(context, sendCaller, input)
  const parcel = await sendOrder(context, store.id, input.carrier, input.orderId, { ...(input.force && { force: true }) })
  const { data, ...rest } = presentSendingResponse(parcel)
  return { parcel: data, ...rest, stillGoingOn: isPending(parcel) }
}
