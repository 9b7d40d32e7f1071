import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { projectResourceMacro, type RequestProject } from '../../http/auth/project-access.ts'
import { createOnce } from '../../http/idempotency.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { listDeliveriesTo, redeliver, sendTest } from './delivery/deliveries.ts'
import { createEndpoint, deleteEndpointWithDeliveries, findOwnEndpoint, listEndpointsOf, patchEndpoint, rotateSecret } from './endpoints.ts'
import { callbacksOf } from './event-callbacks.ts'
import {
  CreatedWebhookEndpoint,
  Delivery,
  deliveryList,
  ENDPOINTS_MAX,
  NewWebhookEndpoint,
  RotatedSecret,
  SecretRotation,
  WebhookEndpoint,
  WebhookEndpointChange,
  withEventNames,
} from './webhooks.model.ts'

const describe = tagOperations('Webhooks')
const ById = T.Object({ id: Id })
const ByDelivery = T.Object({ id: Id, deliveryId: Id })
const OVERLAP_HOURS = 24

const ownedBy = ({ id }: Pick<RequestProject, 'id'>) => ({ projectId: id, audience: 'project' as const })

/** Builds the routes of a project's webhook endpoints and their deliveries. */
export const webhookRoutes = (context: Context) =>
  new Elysia({ name: 'webhooks', prefix: '/v1/webhook-endpoints' })
    .use(context.auth)
    .macro(
      'endpoint',
      projectResourceMacro('endpoint', (id, endpointId) => findOwnEndpoint(context, ownedBy({ id }), endpointId)),
    )
    .get('', ({ project, query }) => readKeysetPage(query, (before, take) => listEndpointsOf(context, ownedBy(project), before, take)), {
      project: ['admin', 'webhooks:manage'],
      query: T.Object(pageQuery),
      response: List(WebhookEndpoint),
      detail: describe('List webhook endpoints', 'listWebhookEndpoints'),
    })
    .post(
      '',
      (creation) =>
        createOnce(context, creation, async (tx) => ({
          data: await createEndpoint(context, tx, ownedBy(creation.project), creation.body, ENDPOINTS_MAX),
        })),
      {
        project: ['admin', 'webhooks:manage'],
        body: withEventNames(NewWebhookEndpoint, 'project'),
        response: { 201: Data(CreatedWebhookEndpoint) },
        detail: {
          ...describe('Register a webhook endpoint; its secret is shown this once', 'createWebhookEndpoint'),
          callbacks: callbacksOf('project'),
        },
      },
    )
    .get('/:id', ({ endpoint }) => ({ data: endpoint }), {
      endpoint: ['admin', 'webhooks:manage'],
      params: ById,
      response: Data(WebhookEndpoint),
      detail: describe('Read a webhook endpoint', 'readWebhookEndpoint'),
    })
    .patch('/:id', async ({ project, params, body }) => ({ data: await patchEndpoint(context, ownedBy(project), params.id, body) }), {
      project: ['admin', 'webhooks:manage'],
      params: ById,
      body: withEventNames(WebhookEndpointChange, 'project'),
      response: Data(WebhookEndpoint),
      detail: describe('Change a webhook endpoint; disabling it cancels what waits for it', 'changeWebhookEndpoint'),
    })
    .delete(
      '/:id',
      async ({ project, params, set }) => {
        await deleteEndpointWithDeliveries(context, ownedBy(project), params.id)
        set.status = 204
      },
      {
        project: ['admin', 'webhooks:manage'],
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete a webhook endpoint and its deliveries', 'deleteWebhookEndpoint'),
      },
    )
    .post(
      '/:id/rotate-secret',
      async ({ project, params, body }) => ({
        data: await rotateSecret(context, ownedBy(project), params.id, body?.overlapHours ?? OVERLAP_HOURS),
      }),
      {
        project: ['admin', 'webhooks:manage'],
        params: ById,
        body: SecretRotation,
        response: Data(RotatedSecret),
        detail: describe('Make a new secret; for a while deliveries are signed with the old one too', 'rotateWebhookSecret'),
      },
    )
    .post('/:id/test', async ({ endpoint }) => ({ data: await sendTest(context, endpoint) }), {
      endpoint: ['admin', 'webhooks:manage'],
      params: ById,
      response: Data(Delivery),
      detail: describe('Send a test event now and return the result; a few at once per project', 'testWebhookEndpoint'),
    })
    .get('/:id/deliveries', ({ endpoint, query }) => listDeliveriesTo(context, endpoint, query), {
      endpoint: ['admin', 'webhooks:manage'],
      params: ById,
      query: deliveryList.query,
      response: List(Delivery),
      detail: describe('List deliveries of the last 30 days', 'listWebhookDeliveries'),
    })
    .post(
      '/:id/deliveries/:deliveryId/redeliver',
      (creation) =>
        createOnce(context, creation, async (tx) => ({
          data: await redeliver(tx, creation.endpoint, creation.params.deliveryId),
        })),
      {
        endpoint: ['admin', 'webhooks:manage'],
        params: ByDelivery,
        response: { 201: Data(Delivery) },
        detail: describe('Send an event once more, as a new delivery', 'redeliverWebhook'),
      },
    )
