import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../context.ts'
import type { ProjectCaller } from '../http/auth.ts'
import { createOnce } from '../http/idempotency.ts'
import { page } from '../http/page.ts'
import { Data, Id, List, oneOf, pageQuery } from '../http/schema.ts'
import { listDeliveries } from './deliveries.queries.ts'
import { present, redeliver, sendTest } from './deliveries.ts'
import { listEndpoints } from './endpoints.queries.ts'
import { changeEndpoint, createEndpoint, ownEndpoint, removeEndpoint, rotateSecret } from './endpoints.ts'
import {
  CreatedWebhookEndpoint,
  Delivery,
  deliveryStatuses,
  NewWebhookEndpoint,
  RotatedSecret,
  Rotation,
  WebhookEndpoint,
  WebhookEndpointChange,
} from './webhooks.model.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Webhooks'], summary, operationId })
const ById = T.Object({ id: Id })
const ByDelivery = T.Object({ id: Id, deliveryId: Id })
const DeliveryQuery = T.Object({
  ...pageQuery,
  status: T.Optional(oneOf(deliveryStatuses)),
  eventType: T.Optional(T.String({ maxLength: 100 })),
})
const OVERLAP_HOURS = 24

const ownerOf = ({ projectId }: ProjectCaller) => ({ projectId, storeId: null })

/** A project's webhook endpoints and what was delivered to them. */
export const webhooks = (context: Context) =>
  new Elysia({ name: 'webhooks', prefix: '/v1/webhook-endpoints' })
    .use(context.auth)
    .get('', ({ caller, query }) => page(query, (before, take) => listEndpoints(context.sql, ownerOf(caller), before, take)), {
      scope: 'webhooks:manage',
      query: T.Object(pageQuery),
      response: List(WebhookEndpoint),
      detail: describe('List webhook endpoints', 'listWebhookEndpoints'),
    })
    .post(
      '',
      (creation) =>
        createOnce(context, creation, async (tx) => ({
          data: await createEndpoint(context, tx, ownerOf(creation.caller), creation.body),
        })),
      {
        scope: 'webhooks:manage',
        body: NewWebhookEndpoint,
        response: { 201: Data(CreatedWebhookEndpoint) },
        detail: describe('Register a webhook endpoint; its secret is shown this once', 'createWebhookEndpoint'),
      },
    )
    .get('/:id', async ({ caller, params }) => ({ data: await ownEndpoint(context, ownerOf(caller), params.id) }), {
      scope: 'webhooks:manage',
      params: ById,
      response: Data(WebhookEndpoint),
      detail: describe('Read a webhook endpoint', 'readWebhookEndpoint'),
    })
    .patch('/:id', async ({ caller, params, body }) => ({ data: await changeEndpoint(context, ownerOf(caller), params.id, body) }), {
      scope: 'webhooks:manage',
      params: ById,
      body: WebhookEndpointChange,
      response: Data(WebhookEndpoint),
      detail: describe('Change a webhook endpoint; disabling it cancels what waits for it', 'changeWebhookEndpoint'),
    })
    .delete(
      '/:id',
      async ({ caller, params, set }) => {
        await removeEndpoint(context, ownerOf(caller), params.id)
        set.status = 204
      },
      {
        scope: 'webhooks:manage',
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete a webhook endpoint and its deliveries', 'deleteWebhookEndpoint'),
      },
    )
    .post(
      '/:id/rotate-secret',
      async ({ caller, params, body }) => ({
        data: await rotateSecret(context, ownerOf(caller), params.id, body?.overlapHours ?? OVERLAP_HOURS),
      }),
      {
        scope: 'webhooks:manage',
        params: ById,
        body: Rotation,
        response: Data(RotatedSecret),
        detail: describe('Make a new secret; for a while deliveries are signed with the old one too', 'rotateWebhookSecret'),
      },
    )
    .post(
      '/:id/test',
      async ({ caller, params }) => ({
        data: await sendTest(context, await ownEndpoint(context, ownerOf(caller), params.id)),
      }),
      {
        scope: 'webhooks:manage',
        params: ById,
        response: Data(Delivery),
        detail: describe('Send a test event now, and say what came of it', 'testWebhookEndpoint'),
      },
    )
    .get(
      '/:id/deliveries',
      async ({ caller, params, query }) => {
        const { id } = await ownEndpoint(context, ownerOf(caller), params.id)
        return page(query, async (before, take) => (await listDeliveries(context.sql, id, query, before, take)).map(present))
      },
      {
        scope: 'webhooks:manage',
        params: ById,
        query: DeliveryQuery,
        response: List(Delivery),
        detail: describe('List deliveries of the last 30 days', 'listWebhookDeliveries'),
      },
    )
    .post(
      '/:id/deliveries/:deliveryId/redeliver',
      async (creation) => {
        const endpoint = await ownEndpoint(context, ownerOf(creation.caller), creation.params.id)
        return createOnce(context, creation, async (tx) => ({
          data: await redeliver(tx, endpoint, creation.params.deliveryId),
        }))
      },
      {
        scope: 'webhooks:manage',
        params: ByDelivery,
        response: { 201: Data(Delivery) },
        detail: describe('Send an event once more, as a new delivery', 'redeliverWebhook'),
      },
    )
