import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { SendOptions, SendRowResult } from '../../plugins/carrier/segments.model.ts'
import type { Context } from '../context.ts'
import { Data, exact, Id, Maybe } from '../http/schema.ts'
import { Parcel, Rewritten, Warning } from '../parcels/parcels.model.ts'
import { present } from '../parcels/present.ts'
import { accessStore } from '../stores/access.ts'
import { sendOrder, sendOrders, unsendOrder } from './send-order.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Sending'], summary, operationId })
const Code = T.String({ maxLength: 60, description: "the carrier's slug" })
const ByOrder = T.Object({ storeId: Id, orderId: Id, carrierCode: Code })
// The position is `:key` everywhere, since a router knows one name per position.
const ByCarrier = T.Object({ storeId: Id, key: Code })
const Sent = T.Object({ data: T.Object({ parcel: Parcel }), warnings: Maybe(T.Array(Warning)), destinationRewritten: Maybe(Rewritten) })
const Row = exact({ orderId: Id, ...SendOptions.properties })

/** Sending orders with any carrier: the same calls whatever its brand. */
export const bridge = (context: Context) =>
  new Elysia({ name: 'bridge', prefix: '/v1/stores/:storeId' })
    .use(context.auth)
    .post(
      '/orders/:orderId/carriers/:carrierCode/send',
      async ({ caller, params, body, set }) => {
        await accessStore(context, caller, params.storeId, 'agent')
        const answer = await sendOrder(context, params.storeId, params.carrierCode, params.orderId, body ?? {})
        if (!answer.done) set.status = 202
        return asAnswer(answer)
      },
      {
        access: 'orders:write',
        params: ByOrder,
        body: T.Union([SendOptions, T.Null()]),
        response: { 200: Sent, 202: Sent },
        detail: describe('Send an order; 202 where the carrier needs longer than ten seconds', 'sendOrder'),
      },
    )
    .post(
      '/orders/:orderId/carriers/:carrierCode/unsend',
      async ({ caller, params }) => {
        await accessStore(context, caller, params.storeId, 'agent')
        return { data: { parcel: present(await unsendOrder(context, params.storeId, params.carrierCode, params.orderId, false)) } }
      },
      {
        access: 'orders:write',
        params: ByOrder,
        response: Data(T.Object({ parcel: Parcel })),
        detail: describe('Take an order back from its carrier', 'unsendOrder'),
      },
    )
    .post(
      '/orders/:orderId/carriers/:carrierCode/delete',
      async ({ caller, params }) => {
        await accessStore(context, caller, params.storeId, 'agent')
        const parcel = await unsendOrder(context, params.storeId, params.carrierCode, params.orderId, true)
        return { data: { parcelId: parcel.id, deleted: true } }
      },
      {
        access: 'orders:write',
        params: ByOrder,
        response: Data(T.Object({ parcelId: Id, deleted: T.Boolean() })),
        detail: describe('Take an order back and delete its parcel', 'deleteSentOrder'),
      },
    )
    .post(
      '/integrations/:key/parcels/send',
      async ({ caller, params, body, set }) => {
        await accessStore(context, caller, params.storeId, 'agent')
        const { orderId, ...choice } = body
        const answer = await sendOrder(context, params.storeId, params.key, orderId, choice)
        if (!answer.done) set.status = 202
        return asAnswer(answer)
      },
      {
        access: 'orders:write',
        params: ByCarrier,
        body: Row,
        response: { 200: Sent, 202: Sent },
        detail: describe('Send an order with this carrier', 'sendParcel'),
      },
    )
    .post(
      '/integrations/:key/parcels/sendMany',
      async ({ caller, params, body }) => {
        await accessStore(context, caller, params.storeId, 'agent')
        return { data: await sendOrders(context, params.storeId, params.key, body.orders) }
      },
      {
        access: 'orders:write',
        params: ByCarrier,
        body: exact({ orders: T.Array(Row, { minItems: 1, maxItems: 500 }) }),
        response: Data(T.Array(SendRowResult)),
        detail: describe('Send up to 500 orders; answers row by row', 'sendParcels'),
      },
    )

const asAnswer = ({ parcel, warnings, destinationRewritten }: Awaited<ReturnType<typeof sendOrder>>) => ({
  data: { parcel: present(parcel) },
  ...(warnings.length > 0 && { warnings }),
  ...(destinationRewritten && { destinationRewritten }),
})
