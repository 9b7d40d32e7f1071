import { Type as T, type TObject } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { createOnce } from '../../http/idempotency.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
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
import { CreatedStoreWebhook, RotatedStoreWebhook, StoreWebhook, WEBHOOKS_MAX } from './store-webhooks.model.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Store webhooks'], summary, operationId })
const ofStore = { storeId: Id }
const ById = T.Object({ ...ofStore, webhookId: Id })
const OVERLAP_HOURS = 24
const shownForStores = <S extends TObject>(title: string, schema: S) => named(title, withEventNames(schema, 'store'))

const store: RequiredAccess = ['admin', 'webhooks:manage', 'webhooks']
const ownedBy = ({ id, projectId }: Store) => ({ projectId, storeId: id })

/** A store's webhooks, and what was delivered to them. */
export const storeWebhooks = (context: Context) =>
  new Elysia({ name: 'store webhooks', prefix: '/v1/stores/:storeId/integrations/webhooks' })
    .use(context.authority)
    .get(
      '',
      async ({ store: of, query }) => {
        const found = await readKeysetPage(query, (before, take) => listEndpointsOf(context, ownedBy(of), before, take))
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
          const made = await createEndpoint(context, tx, ownedBy(creation.store), creation.body, WEBHOOKS_MAX)
          return { data: { ...made, storeId: creation.store.id } }
        }),
      {
        store,
        params: T.Object(ofStore),
        body: shownForStores('NewStoreWebhook', NewWebhookEndpoint),
        response: { 201: Data(CreatedStoreWebhook) },
        detail: {
          ...describe('Register a webhook of a store; its secret is shown this once', 'createStoreWebhook'),
          callbacks: callbacksOf('store'),
        },
      },
    )
    .get(
      '/:webhookId',
      async ({ store: of, params }) => ({ data: { ...(await findOwnEndpoint(context, ownedBy(of), params.webhookId)), storeId: of.id } }),
      { store, params: ById, response: Data(StoreWebhook), detail: describe('Read a webhook of a store', 'readStoreWebhook') },
    )
    .patch(
      '/:webhookId',
      async ({ store: of, params, body }) => ({
        data: { ...(await patchEndpoint(context, ownedBy(of), params.webhookId, body)), storeId: of.id },
      }),
      {
        store,
        params: ById,
        body: shownForStores('StoreWebhookChange', WebhookEndpointChange),
        response: Data(StoreWebhook),
        detail: describe('Change a webhook of a store; disabling it cancels what waits for it', 'changeStoreWebhook'),
      },
    )
    .delete(
      '/:webhookId',
      async ({ store: of, params, set }) => {
        await deleteEndpointWithDeliveries(context, ownedBy(of), params.webhookId)
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
        data: { ...(await rotateSecret(context, ownedBy(of), params.webhookId, body?.overlapHours ?? OVERLAP_HOURS)), storeId: of.id },
      }),
      {
        store,
        params: ById,
        body: SecretRotation,
        response: Data(RotatedStoreWebhook),
        detail: describe('Make a new secret; for a while deliveries are signed with the old one too', 'rotateStoreWebhookSecret'),
      },
    )
