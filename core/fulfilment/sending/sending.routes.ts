import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { SendRowResult } from '../../../plugins/carrier/rows.model.ts'
import { SendOptions, SendPart, told } from '../../../plugins/carrier/segments.model.ts'
import type { Context } from '../../context.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, exact, Id } from '../../http/schema.ts'
import { respondPending } from '../../logistics/parcels/lifecycle/wait-for-outcomes.ts'
import { Parcel } from '../../logistics/parcels/parcels.model.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { presentParcel, presentSendingResponse } from '../../logistics/parcels/present.ts'
import { sendOrder, sendOrders, unsendOrder } from './send-order.ts'

const describe = tagOperations('Sending')
const Code = T.String({ maxLength: 60, description: "the carrier's slug" })
const ByOrder = T.Object({ storeId: Id, orderId: Id, carrierCode: Code })
// The parameter is `:key` in every route, because the router allows one name per position.
const ByCarrier = T.Object({ storeId: Id, key: Code })
const Sent = T.Object({ data: T.Object({ parcel: Parcel }), ...told })
const Row = exact({ orderId: Id, ...SendOptions.properties })
const Part = exact({ orderId: Id, ...SendPart.properties })

/** Routes that send orders with any carrier, by the same calls for all carriers. */
export const carrierSendRoutes = (context: Context) =>
  new Elysia({ name: 'bridge', prefix: '/v1/stores/:storeId' })
    .use(context.authority)
    .post(
      '/orders/:orderId/carriers/:carrierCode/send',
      async ({ store, params, body, set }) => {
        const answer = await sendOrder(context, store.id, params.carrierCode, params.orderId, body ?? {})
        respondPending(set, answer)
        return toSendingResponse(answer)
      },
      {
        store: ['agent', 'orders:write', 'parcels'],
        params: ByOrder,
        body: T.Union([SendPart, T.Null()]),
        response: { 200: Sent, 202: Sent },
        detail: describe(
          'Send an order, or part of it in a parcel of its own; 202 when the carrier needs longer than ten seconds',
          'sendOrder',
        ),
      },
    )
    .post(
      '/orders/:orderId/carriers/:carrierCode/unsend',
      async ({ store, params }) => ({
        data: { parcel: presentParcel(await unsendOrder(context, store, params.carrierCode, params.orderId, { erase: false })) },
      }),
      {
        store: ['agent', 'orders:write', 'parcels'],
        params: ByOrder,
        response: Data(T.Object({ parcel: Parcel })),
        detail: describe('Cancel the sending of an order at its carrier', 'unsendOrder'),
      },
    )
    .post(
      '/orders/:orderId/carriers/:carrierCode/delete',
      async ({ store, params }) => {
        const parcel = await unsendOrder(context, store, params.carrierCode, params.orderId, { erase: true })
        return { data: { parcelId: parcel.id, deleted: true } }
      },
      {
        store: ['agent', 'orders:write', 'parcels'],
        params: ByOrder,
        response: Data(T.Object({ parcelId: Id, deleted: T.Boolean() })),
        detail: describe('Cancel the sending of an order and delete its parcel', 'deleteSentOrder'),
      },
    )
    .post(
      '/integrations/:key/parcels/send',
      async ({ store, params, body, set }) => {
        const { orderId, ...choice } = body
        const answer = await sendOrder(context, store.id, params.key, orderId, choice)
        respondPending(set, answer)
        return toSendingResponse(answer)
      },
      {
        store: ['agent', 'orders:write', 'parcels'],
        params: ByCarrier,
        body: Part,
        response: { 200: Sent, 202: Sent },
        detail: describe('Send an order, or part of it, with this carrier', 'sendParcel'),
      },
    )
    .post(
      '/integrations/:key/parcels/sendMany',
      async ({ store, params, body }) => ({ data: await sendOrders(context, store.id, params.key, body.orders) }),
      {
        store: ['agent', 'orders:write', 'parcels'],
        params: ByCarrier,
        body: exact({ orders: T.Array(Row, { minItems: 1, maxItems: 500 }) }),
        response: Data(T.Array(SendRowResult)),
        detail: {
          ...describe('Send up to 500 orders; the response has a result for each', 'sendParcels'),
          description: 'Same as `POST /v1/orders/send`, which new clients should use.',
        },
      },
    )

function toSendingResponse(parcel: ParcelRow) {
  const { data, ...rest } = presentSendingResponse(parcel)
  return { data: { parcel: data }, ...rest }
}
