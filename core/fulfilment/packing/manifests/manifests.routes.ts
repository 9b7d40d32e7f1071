import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { createOnce } from '../../../http/idempotency.ts'
import { preferredLanguage } from '../../../http/pages/language.ts'
import { readList } from '../../../http/resource/list.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List } from '../../../http/schema.ts'
import { closeManifest, deleteManifest } from './close-manifest.ts'
import { printManifest } from './document/print-manifest.ts'
import { addToManifest, removeFromManifest } from './fill-manifest.ts'
import { readManifest } from './lock-manifest.ts'
import {
  DocumentQuery,
  Manifest,
  ManifestClosing,
  ManifestDetails,
  ManifestScan,
  ManifestScanned,
  manifestList,
  NewManifest,
} from './manifests.model.ts'
import { listManifests } from './manifests.queries.ts'
import { openManifest } from './open-manifest.ts'
import { presentManifest } from './present-manifest.ts'

const describe = tagOperations('Parcels')
const OfStore = T.Object({ storeId: Id })
const ByManifest = T.Object({ storeId: Id, manifestId: Id })
const pdf = { 'application/pdf': { schema: { type: 'string' as const, format: 'binary' } } }

/** Routes of manifests: the parcels of one carrier that a courier takes and signs for. */
export const manifestRoutes = (context: Context) =>
  new Elysia({ name: 'manifests', prefix: '/v1/stores/:storeId/manifests' })
    .use(context.authority)
    .get(
      '',
      async ({ store, query }) => {
        const found = await readList(context.sql, manifestList, query, (reader, { filter, page }) =>
          listManifests(reader, store.projectId, filter, page),
        )
        return { ...found, data: found.data.map(presentManifest) }
      },
      {
        store: ['viewer', 'parcels:read', 'parcels'],
        params: OfStore,
        query: manifestList.query,
        response: List(Manifest),
        detail: describe('List the manifests of a store, newest first', 'listManifests'),
      },
    )
    .post(
      '',
      (creation) =>
        createOnce(context, creation, async (tx) => ({
          data: await openManifest(context, tx, creation.store, creation.body.connectionId),
        })),
      {
        store: ['agent', 'parcels:write', 'parcels'],
        params: OfStore,
        body: NewManifest,
        response: { 201: Data(Manifest) },
        detail: describe('Begin a manifest for the parcels of one carrier', 'openManifest'),
      },
    )
    .get('/:manifestId', async ({ store, params }) => ({ data: await readManifest(context.sql, keyOf(store, params)) }), {
      store: ['viewer', 'parcels:read', 'parcels'],
      params: ByManifest,
      response: Data(ManifestDetails),
      detail: describe('Read a manifest with its parcels', 'readManifest'),
    })
    .delete(
      '/:manifestId',
      async ({ store, params, set }) => {
        await deleteManifest(context, keyOf(store, params))
        set.status = 204
      },
      {
        store: ['agent', 'parcels:write', 'parcels'],
        params: ByManifest,
        response: { 204: T.Void() },
        detail: describe('Delete an open manifest; its parcels can be scanned into another', 'deleteManifest'),
      },
    )
    .post(
      '/:manifestId/parcels',
      async ({ store, params, body }) => ({ data: await addToManifest(context, keyOf(store, params), body.codes) }),
      {
        store: ['agent', 'parcels:write', 'parcels'],
        params: ByManifest,
        body: ManifestScan,
        response: Data(ManifestScanned),
        detail: describe('Scan parcels into an open manifest; the response has a result for each code', 'scanIntoManifest'),
      },
    )
    .delete(
      '/:manifestId/parcels/:parcelId',
      async ({ store, params, set }) => {
        await removeFromManifest(context, keyOf(store, params), params.parcelId)
        set.status = 204
      },
      {
        store: ['agent', 'parcels:write', 'parcels'],
        params: T.Object({ storeId: Id, manifestId: Id, parcelId: Id }),
        response: { 204: T.Void() },
        detail: describe('Remove a parcel from an open manifest', 'removeFromManifest'),
      },
    )
    .post('/:manifestId/close', async ({ store, params }) => ({ data: await closeManifest(context, keyOf(store, params)) }), {
      store: ['agent', 'parcels:write', 'parcels'],
      params: ByManifest,
      response: Data(ManifestClosing),
      detail: {
        ...describe('Close a manifest: its parcels are handed over, and it does not change any more', 'closeManifest'),
        description:
          'Parcels that were cancelled since they were scanned are left out, and listed in `removed`. Closing again changes nothing.',
      },
    })
    .get(
      '/:manifestId/document',
      async ({ store, params, query, request }) => {
        const language = query.language ?? preferredLanguage(request) ?? 'en'
        const bytes = await printManifest(context, store, params.manifestId, { language, signal: request.signal })
        return new Response(Buffer.from(bytes), {
          headers: {
            'content-type': 'application/pdf',
            'content-disposition': `inline; filename="manifest.pdf"`,
            'cache-control': 'private, no-store',
          },
        })
      },
      {
        store: ['viewer', 'parcels:read', 'parcels'],
        params: ByManifest,
        query: DocumentQuery,
        detail: {
          ...describe('Print a manifest as A4 pages with lines for two signatures', 'printManifest'),
          responses: { 200: { description: 'The manifest as PDF.', content: pdf } },
        },
      },
    )

const keyOf = ({ projectId }: { readonly projectId: string }, { manifestId: id }: { readonly manifestId: string }) => ({ projectId, id })
