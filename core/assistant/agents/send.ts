import type { Context } from '../../context.ts'
import { sendOrder } from '../../fulfilment/sending/send-order.ts'
import type { Principal } from '../../http/auth/principal.ts'
import { notFound } from '../../http/errors/errors.ts'
import { goesOn } from '../../logistics/parcels/lifecycle/wait.ts'
import { sendingAnswerOf } from '../../logistics/parcels/present.ts'
import { findOrder } from '../../orders/orders.queries.ts'
import { assertConfirmed, readSendRule } from '../../orders/parcels/confirmed.ts'
import { accessProduct, chosenStore } from '../../shop/stores/access.ts'

interface Wanted {
  readonly storeId?: string
  readonly orderId: string
  readonly carrier: string
  readonly force?: boolean
}
type Asking = { readonly caller: Principal }

/** The order, where the caller may send it, and what a person is asked before it is sent. Throws `order_not_confirmed`. */
export async function prepareSending(context: Context, { caller }: Asking, { storeId, orderId, carrier, force }: Wanted) {
  const { id } = await chosenStore(context, caller, storeId, ['agent', 'orders:write'])
  const store = await accessProduct(context, caller, id, ['agent', 'orders:write'], 'parcels')
  const order = await findOrder(context.sql, { storeId: store.id, id: orderId })
  if (!order) throw notFound('The order')
  assertConfirmed(order, await readSendRule(context.sql, store.id, force))
  // The customer's own words stay out of what a person is asked.
  const question = `Send order ${order.reference} (${order.total} ${store.currencyCode}, ${order.status}) with ${carrier}${force ? ', although nobody may have confirmed it' : ''}?`
  return { store, question }
}

/** Sends it, and waits for the carrier as long as the route does. */
export async function send(context: Context, asking: Asking, wanted: Wanted) {
  const { store } = await prepareSending(context, asking, wanted)
  const parcel = await sendOrder(context, store.id, wanted.carrier, wanted.orderId, { ...(wanted.force && { force: true }) })
  const { data, ...told } = sendingAnswerOf(parcel)
  return { parcel: data, ...told, stillGoingOn: goesOn(parcel) }
}
