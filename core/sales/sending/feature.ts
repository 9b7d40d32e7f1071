import { feature } from '../../feature.ts'
import { answerOf } from '../../logistics/parcels/present.ts'
import { goesOn } from '../../logistics/parcels/wait.ts'
import { sending } from './send.routes.ts'
import { sendOrder, sendOrders } from './send-order.ts'
import { bridge } from './sending.routes.ts'

export default feature('sending', {
  routes: [bridge, sending],
  serves: {
    carrier: {
      async send(context, { connection: { row }, body: { orderId, ...choice }, set }) {
        const parcel = await sendOrder(context, row.storeId, row.key, orderId, choice)
        if (goesOn(parcel)) set.status = 202
        const { data, ...told } = answerOf(parcel)
        return { parcel: data, ...told }
      },
      sendMany: (context, { connection: { row }, body }) => sendOrders(context, row.storeId, row.key, body.orders),
    },
  },
})
