import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { notFound } from '../../http/errors.ts'
import { Data } from '../../http/schema.ts'
import { algeria } from './catalogue.ts'
import {
  Catalog,
  CatalogQuery,
  NearbyQuery,
  NearCity,
  Resolution,
  ResolveBatch,
  ResolveInput,
  ReverseQuery,
  SearchHit,
  SearchQuery,
} from './geo.model.ts'
import { findCatalogue, listCatalog } from './list-catalog.ts'
import { nearbyCities, reverse } from './nearby.ts'
import { resolveMany, resolverOf } from './resolve.ts'
import { search } from './search.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Geo'], summary, operationId })
const HOME = algeria.country

/** Where parcels go: what people typed becomes codes, and the places there are. */
export const geo = (context: Context) =>
  new Elysia({ name: 'geo', prefix: '/v1/geo' })
    .use(context.auth)
    .post('/resolve', ({ body }) => ({ data: resolverOf(algeria).resolve(body) }), {
      project: 'geo:resolve',
      body: ResolveInput,
      response: Data(Resolution),
      detail: describe('Find the state and city that somebody typed', 'resolvePlace'),
    })
    .post('/resolve/batch', async ({ body }) => ({ data: await resolveMany(resolverOf(algeria), body.items) }), {
      project: 'geo:resolve',
      body: ResolveBatch,
      response: Data(T.Array(Resolution)),
      detail: describe('Find the states and cities of up to 1,000 orders, in their order', 'resolvePlaces'),
    })
    .get('/catalog', ({ query }) => ({ data: listCatalog(query.country ?? HOME, query.state) }), {
      project: 'geo:read',
      query: CatalogQuery,
      response: Data(Catalog),
      detail: describe('States with their cities', 'geoCatalog'),
    })
    .get(
      '/search',
      ({ query }) => {
        const catalogue = findCatalogue(query.country ?? HOME)
        return { data: catalogue ? search(catalogue, query.q, query.limit ?? 10) : [] }
      },
      {
        project: 'geo:read',
        query: SearchQuery,
        response: Data(T.Array(SearchHit)),
        detail: describe('States and cities by the beginning of their name, or misspelt', 'searchPlaces'),
      },
    )
    .get(
      '/nearby',
      ({ query }) => {
        // Pick-up points come from carriers; until their centres are synced there are none.
        if (query.kind === 'pickup') return { data: [] }
        return { data: nearbyCities(algeria, { latitude: query.lat, longitude: query.lon }, query.limit ?? 10) }
      },
      {
        project: 'geo:read',
        query: NearbyQuery,
        response: Data(T.Array(NearCity)),
        detail: describe('What is near a point, nearest first', 'nearbyPlaces'),
      },
    )
    .get(
      '/reverse',
      async ({ query }) => {
        const place = await reverse(algeria, { latitude: query.lat, longitude: query.lon })
        if (!place) throw notFound('A town within 50 km of this point, in its country,')
        return { data: place }
      },
      {
        project: 'geo:read',
        query: ReverseQuery,
        response: Data(NearCity),
        detail: describe('The city at a point: its nearest town, no farther than 50 km, in the same country', 'reversePlace'),
      },
    )
