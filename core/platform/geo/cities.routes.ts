import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { Data } from '../../http/schema.ts'
import { CityHit, CityQuery } from './cities.model.ts'
import { findCities } from './geo.queries.ts'
import { fold } from './names/fold.ts'

/** Cities of any country, by what their names begin with or have in them. */
export const cities = ({ sql, auth }: Context) =>
  new Elysia({ name: 'cities', prefix: '/v1/cities' }).use(auth).get(
    '/search',
    async ({ query: { q, country, state, limit = 10 } }) => {
      const folded = fold(q)
      if (folded === '') return { data: [] }
      const within = { ...(country !== undefined && { country: country.toUpperCase() }), ...(state !== undefined && { state }), limit }
      return { data: await findCities(sql, folded, within) }
    },
    {
      open: true,
      query: CityQuery,
      response: Data(T.Array(CityHit)),
      detail: { tags: ['Cities'], summary: 'Cities by a part of their name, those that begin so first', operationId: 'searchCities' },
    },
  )
