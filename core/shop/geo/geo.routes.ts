import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { queueByOwner } from '../../http/concurrency.ts'
import { answerNotModified } from '../../http/etag.ts'
import { tagOperations } from '../../http/route.ts'
import { Data } from '../../http/schema.ts'
import { yieldToOthers } from '../../lib/async/yield-every.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { findCatalogue } from '../../platform/geo/catalogue/catalogues.ts'
import { listCatalog } from '../../platform/geo/catalogue/list-catalog.ts'
import {
  Catalog,
  CatalogQuery,
  NearCity,
  Polygons,
  PolygonsQuery,
  Resolution,
  ResolveBatch,
  ResolveInput,
  ReverseQuery,
  SearchHit,
  SearchQuery,
} from '../../platform/geo/geo.model.ts'
import { reverseGeocode } from '../../platform/geo/resolve/nearby.ts'
import { resolveMany, resolveWithDefault } from '../../platform/geo/resolve/resolve.ts'
import { searchPlaces } from '../../platform/geo/resolve/search.ts'
import { borderResponse } from '../../platform/geo/shapes/polygons.ts'

/** Limits the batches that are resolved at once. */
const limitBatches = queueByOwner({ own: 1, all: 8, waiting: 100 }, 'Too many batches of addresses of this project are waiting.')

const describe = tagOperations('Geo')

/** Builds the routes that resolve typed addresses and list places. The default country is that of the project's store. */
export const geoRoutes = ({ auth, defaultCountries, sql }: Context) =>
  new Elysia({ name: 'geo', prefix: '/v1/geo' })
    .use(auth)
    .post(
      '/resolve',
      async ({ body, project, request }) => {
        const home = await defaultCountries.of(project)
        await yieldToOthers(request.signal)
        return { data: resolveWithDefault(home, body) }
      },
      {
        project: ['viewer', 'geo:resolve'],
        body: ResolveInput,
        response: Data(Resolution),
        detail: describe('Find the state and city that somebody typed', 'resolvePlace'),
      },
    )
    .post(
      '/resolve/batch',
      async ({ body, project, request: { signal } }) => {
        const home = await defaultCountries.of(project)
        return { data: await limitBatches(project.id, () => resolveMany(home, body.items, signal), signal) }
      },
      {
        project: ['viewer', 'geo:resolve'],
        body: ResolveBatch,
        response: Data(T.Array(Resolution)),
        detail: describe('Find the states and cities of up to 1,000 orders, in their order', 'resolvePlaces'),
      },
    )
    .get(
      '/catalog',
      async ({ query: { country, state }, project, request }) => {
        const chosen = country ?? (await defaultCountries.of(project))
        await yieldToOthers(request.signal)
        return { data: listCatalog(chosen, state) }
      },
      {
        afterHandle: answerNotModified,
        project: ['viewer', 'geo:read'],
        query: CatalogQuery,
        response: Data(Catalog),
        detail: describe('States with their cities', 'geoCatalog'),
      },
    )
    .get(
      '/polygons',
      async ({ query: { country, state, kind = 'state' }, project, request }) => {
        const asked = { country: country ?? (await defaultCountries.of(project)), state, kind }
        return borderResponse(sql, asked, request.headers.get('if-none-match')) as never
      },
      {
        project: ['viewer', 'geo:read'],
        query: PolygonsQuery,
        response: Data(Polygons),
        detail: describe('Borders of states, or of the cities of one, as GeoJSON, simplified for showing', 'geoPolygons'),
      },
    )
    .get(
      '/search',
      async ({ query, project, request }) => {
        const catalogue = findCatalogue(query.country ?? (await defaultCountries.of(project)))
        await yieldToOthers(request.signal)
        return { data: catalogue ? await searchPlaces(catalogue, query.q, query.limit ?? 10) : [] }
      },
      {
        project: ['viewer', 'geo:read'],
        query: SearchQuery,
        response: Data(T.Array(SearchHit)),
        detail: describe('States and cities by the beginning of their name, or misspelt', 'searchPlaces'),
      },
    )
    .get(
      '/reverse',
      async ({ query }) => {
        const place = await reverseGeocode({ latitude: query.lat, longitude: query.lon })
        if (!place) throw notFound('A town within 50 km of this point, in its country,')
        return { data: place }
      },
      {
        project: ['viewer', 'geo:read'],
        query: ReverseQuery,
        response: Data(NearCity),
        detail: describe('The city at a point: its nearest town, no farther than 50 km, in the same country', 'reversePlace'),
      },
    )
