import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { tagOperations } from '../../http/route.ts'
import { Data } from '../../http/schema.ts'
import { listCatalogues } from '../../platform/geo/catalogue/catalogues.ts'
import { NearCity } from '../../platform/geo/geo.model.ts'
import { listNearbyCities } from '../../platform/geo/resolve/nearby.ts'
import { listNearbyPickups, listProjectPickups } from './list.ts'
import { NearbyQuery, Pickup, PickupList, PickupsQuery } from './pickups.model.ts'

const describe = tagOperations('Geo')

/** Routes of the pick-up points of the carriers that the project's store has enabled. */
export const pickupRoutes = (context: Context) =>
  new Elysia({ name: 'pickups', prefix: '/v1/geo' })
    .use(context.auth)
    .get('/pickups', ({ query, project }) => listProjectPickups(context, project, query), {
      project: ['viewer', 'geo:read'],
      query: PickupsQuery,
      response: PickupList,
      detail: describe('List the pick-up points of the enabled carriers, refreshed when they are older than an hour', 'geoPickups'),
    })
    .get(
      '/nearby',
      async ({ query: { lat, lon, kind = 'city', carrier, limit = 10 }, project }) => {
        const point = { latitude: lat, longitude: lon }
        if (kind === 'city') return { data: listNearbyCities(listCatalogues(), point, limit) }
        return { data: await listNearbyPickups(context, project, point, carrier, limit) }
      },
      {
        project: ['viewer', 'geo:read'],
        query: NearbyQuery,
        response: Data(T.Union([T.Array(NearCity), T.Array(Pickup)])),
        detail: describe('Cities or pick-up points near a point, nearest first', 'nearbyPlaces'),
      },
    )
