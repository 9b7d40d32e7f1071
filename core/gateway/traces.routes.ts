import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../context.ts'
import { notFound } from '../http/errors.ts'
import { page } from '../http/page.ts'
import { Id, List, pageQuery } from '../http/schema.ts'
import { findParcelOf } from '../parcels/parcels.queries.ts'
import { Trace } from './traces.model.ts'
import { listTraces } from './traces.queries.ts'

/** What was asked of the carrier for a parcel, and what it said. */
export const traces = (context: Context) =>
  new Elysia({ name: 'traces', prefix: '/v1/parcels' }).use(context.auth).get(
    '/:id/trace',
    async ({ caller, params, query }) => {
      const parcel = await findParcelOf(context.sql, caller.projectId, params.id)
      if (!parcel) throw notFound('The parcel')
      return page(query, (before, take) => listTraces(context.sql, parcel.id, before, take))
    },
    {
      scope: 'parcels:read',
      params: T.Object({ id: Id }),
      query: T.Object(pageQuery),
      response: List(Trace),
      detail: {
        tags: ['Parcels'],
        summary: 'What the carrier was asked for this parcel and what it said, secrets taken out; kept for 30 days',
        operationId: 'readParcelTrace',
      },
    },
  )
