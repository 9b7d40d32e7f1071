import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { Data } from '../../http/schema.ts'
import { assertKnownState } from './catalogue/state-codes.ts'
import { CityHit, CityQuery } from './cities.model.ts'
import { findCities } from './geo.queries.ts'
import { fold } from './names/fold.ts'

/** Builds the route that searches cities of all countries, by the start or a part of their names. */
export const citySearchRoutes = ({ sql, auth }: Context) =>
  new Elysia({ name: 'cities', prefix: '/v1/cities' }).use(auth).get(
    '/search',
    async ({ query: { q, country, state, limit = 10 } }) => {
      const folded = fold(q)
      if (state !== undefined) await assertKnownState(sql, country ?? null, state, ['state'])
      if (folded === '') return { data: [] }
      const within = { ...(country !== undefined && { country: country.toUpperCase() }), ...(state !== undefined && { state }), limit }
      return { data: await findCities(sql, folded, within) }
    },
    {
      open: true,
      query: CityQuery,
      response: Data(T.Array(CityHit)),
      detail: {
        tags: ['Cities'],
        summary: 'Search cities by a part of their name; prefix matches come first',
        operationId: 'searchCities',
      },
    },
  )
