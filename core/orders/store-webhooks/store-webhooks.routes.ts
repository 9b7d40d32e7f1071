import { Type as T, type TObject } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { createOnce } from '../../http/idempotency.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, named, pageQuery } from '../../http/schema.ts'
import {
  createEndpoint,
  deleteEndpointWithDeliveries,
  findOwnEndpoint,
  listEndpointsOf,
  patchEndpoint,
  rotateSecret,
} from '../../platform/webhooks/endpoints.ts'
import { callbacksOf } from '../../platform/webhooks/event-callbacks.ts'
import { NewWebhookEndpoint, SecretRotation, WebhookEndpointChange, withEventNames } from '../../platform/webhooks/webhooks.model.ts'
import type { RequiredAccess } from '../../shop/stores/authority.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { CreatedStoreWebhook, RotatedStoreWebhook, STORE_WEBHOOKS_MAX, StoreWebhook } from './store-webhooks.model.ts'

const describe = tagOperations('Store webhooks')
const ofStore = { storeId: Id }
const ById = T.Object({ ...ofStore, webhookId: Id })
const OVERLAP_HOURS = 24
const withStoreEvents = <S extends TObject>(title: string, schema: S) => named(title, withEventNames(schema, 'store'))

const store: RequiredAccess = ['admin', 'webhooks:manage', 'webhooks']
const endpointOwnerOf = ({ projectId }: Store) => ({ projectId, audience: 'store' as const })

/** Routes of a store's webhooks. */
export const storeWebhookRoutes = (context: Context) =>
  new Elysia({ name: 'store webhooks', prefix: '/v1/stores/:storeId/integrations/webhooks' })
    .use(context.authority)
    .get(
      '',
      async ({ store: of, query }) => {
        const found = await readKeysetPage(query, (before, take) => listEndpointsOf(context, endpointOwnerOf(of), before, take))
        return { ...found, data: found.data.map((webhook) => ({ ...webhook, storeId: of.id })) }
      },
      {
        store,
        params: T.Object(ofStore),
        query: T.Object(pageQuery),
        response: List(StoreWebhook),
        detail: describe('List the webhooks of a store', 'listStoreWebhooks'),
      },
    )
    .post(
      '',
      (creation) =>
        createOnce(context, creation, async (tx) => {
          const made = await createEndpoint(context, tx, endpointOwnerOf(creation.store), creation.body, STORE_WEBHOOKS_MAX)
          return { data: { ...made, storeId: creation.store.id } }
        }),
      {
        store,
        params: T.Object(ofStore),
        body: withStoreEvents('NewStoreWebhook', NewWebhookEndpoint),
        response: { 201: Data(CreatedStoreWebhook) },
        detail: {
          ...describe('Register a webhook of a store; its secret is shown only once', 'createStoreWebhook'),
          callbacks: callbacksOf('store'),
        },
      },
    )
    .get(
      '/:webhookId',
      async ({ store: of, params }) => ({
        data: { ...(await findOwnEndpoint(context, endpointOwnerOf(of), params.webhookId)), storeId: of.id },
      }),
      { store, params: ById, response: Data(StoreWebhook), detail: describe('Read a webhook of a store', 'readStoreWebhook') },
    )
    .patch(
      '/:webhookId',
      async ({ store: of, params, body }) => ({
        data: { ...(await patchEndpoint(context, endpointOwnerOf(of), params.webhookId, body)), storeId: of.id },
      }),
      {
        store,
        params: ById,
        body: withStoreEvents('StoreWebhookChange', WebhookEndpointChange),
        response: Data(StoreWebhook),
        detail: describe('Change a webhook of a store; disabling it cancels its waiting deliveries', 'changeStoreWebhook'),
      },
    )
    .delete(
      '/:webhookId',
      async ({ store: of, params, set }) => {
        await deleteEndpointWithDeliveries(context, endpointOwnerOf(of), params.webhookId)
        set.status = 204
      },
      {
        store,
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete a webhook of a store and its deliveries', 'deleteStoreWebhook'),
      },
    )
    .post(
      '/:webhookId/rotate-secret',
      async ({ store: of, params, body }) => ({
        data: {
          ...(await rotateSecret(context, endpointOwnerOf(of), params.webhookId, body?.overlapHours ?? OVERLAP_HOURS)),
          storeId: of.id,
        },
      }),
      {
        store,
        params: ById,
        body: SecretRotation,
        response: Data(RotatedStoreWebhook),
        detail: describe('Create a new secret; for a while deliveries are signed with both secrets', 'rotateStoreWebhookSecret'),
      },
    )
