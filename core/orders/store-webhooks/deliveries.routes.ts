import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { createOnce } from '../../http/idempotency.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List } from '../../http/schema.ts'
import { listDeliveriesTo, redeliver, sendTest } from '../../platform/webhooks/delivery/deliveries.ts'
import { findOwnEndpoint } from '../../platform/webhooks/endpoints.ts'
import { Delivery, deliveryList } from '../../platform/webhooks/webhooks.model.ts'
import type { RequiredAccess } from '../../shop/stores/authority.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { emitCurrentState } from './emit-current-state.ts'
import { ReemitRequest, ReemittedEvents } from './store-webhooks.model.ts'

const describe = tagOperations('Store webhooks')
const ofStore = { storeId: Id }
const ById = T.Object({ ...ofStore, webhookId: Id })

const store: RequiredAccess = ['admin', 'webhooks:manage', 'webhooks']

/** Routes that send test events and repeat events to a store's webhooks, and that list deliveries. */
export const storeWebhookDeliveryRoutes = (context: Context) => {
  const own = ({ projectId }: Store, webhookId: string) => findOwnEndpoint(context, { projectId, audience: 'store' }, webhookId)
  return new Elysia({ name: 'deliveries to store webhooks', prefix: '/v1/stores/:storeId/integrations/webhooks' })
    .use(context.authority)
    .post('/:webhookId/test', async ({ store: of, params }) => ({ data: await sendTest(context, await own(of, params.webhookId)) }), {
      store,
      params: ById,
      response: Data(Delivery),
      detail: describe('Send a test event now and return its delivery', 'testStoreWebhook'),
    })
    .post(
      '/send',
      async ({ store: of, body, set }) => {
        const data = await emitCurrentState(context, of, body)
        set.status = 202
        return { data }
      },
      {
        store,
        params: T.Object(ofStore),
        body: ReemitRequest,
        response: { 202: Data(ReemittedEvents) },
        detail: describe('Send the current state of orders or products to the webhooks again', 'sendStoreWebhooks'),
      },
    )
    .get('/:webhookId/history', async ({ store: of, params, query }) => listDeliveriesTo(context, await own(of, params.webhookId), query), {
      store,
      params: ById,
      query: deliveryList.query,
      response: List(Delivery),
      detail: describe('List what was delivered in the last 30 days', 'listStoreWebhookHistory'),
    })
    .post(
      '/:webhookId/history/:historyId/redeliver',
      (creation) =>
        createOnce(context, creation, async (tx) => {
          const webhook = await own(creation.store, creation.params.webhookId)
          return { data: await redeliver(tx, webhook, creation.params.historyId) }
        }),
      {
        store,
        params: T.Object({ ...ofStore, webhookId: Id, historyId: Id }),
        response: { 201: Data(Delivery) },
        detail: describe('Send an event once more, as a new delivery', 'redeliverStoreWebhook'),
      },
    )
}
