import { feature } from '../../feature.ts'
import { respondPending } from '../../logistics/parcels/lifecycle/wait-for-outcomes.ts'
import { presentSendingResponse } from '../../logistics/parcels/present.ts'
import { sendRoutes } from './send.routes.ts'
import { sendOrder, sendOrders } from './send-order.ts'
import { carrierSendRoutes } from './sending.routes.ts'
import { countOrdersToSend } from './waiting.queries.ts'

/** Sending of orders with a carrier. */
export default feature('sending', {
  routes: [carrierSendRoutes, sendRoutes],
  attention: [
    {
      kind: 'orders_to_send',
      meaning: 'Confirmed sales without a parcel: pack and send them.',
      group: 'parcels',
      right: ['agent', 'orders:write'],
      count: countOrdersToSend,
    },
  ],
  operations: {
    carrier: {
      async send(context, { connection: { row }, body: { orderId, ...choice }, set }) {
        const parcel = await sendOrder(context, row.storeId, row.key, orderId, choice)
        respondPending(set, parcel)
        const { data, ...rest } = presentSendingResponse(parcel)
        return { parcel: data, ...rest }
      },
      sendMany: (context, { connection: { row }, body }) => sendOrders(context, row.storeId, row.key, body.orders),
    },
  },
})
