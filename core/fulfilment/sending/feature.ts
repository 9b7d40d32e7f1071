import { feature } from '../../feature.ts'
import { tellPending } from '../../logistics/parcels/lifecycle/wait.ts'
import { sendingAnswerOf } from '../../logistics/parcels/present.ts'
import { sending } from './send.routes.ts'
import { sendOrder, sendOrders } from './send-order.ts'
import { bridge } from './sending.routes.ts'

/** Sending of orders with a carrier. */
export default feature('sending', {
  routes: [bridge, sending],
  operations: {
    carrier: {
      async send(context, { connection: { row }, body: { orderId, ...choice }, set }) {
        const parcel = await sendOrder(context, row.storeId, row.key, orderId, choice)
        tellPending(set, parcel)
        const { data, ...told } = sendingAnswerOf(parcel)
        return { parcel: data, ...told }
      },
      sendMany: (context, { connection: { row }, body }) => sendOrders(context, row.storeId, row.key, body.orders),
    },
  },
})
