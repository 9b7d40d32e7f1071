import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { projectResourceMacro } from '../../http/auth/project-access.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { Id, List, pageQuery } from '../../http/schema.ts'
import { Trace } from '../../integrations/egress/traces.model.ts'
import { listTraces } from '../../integrations/egress/traces.queries.ts'
import { findParcel } from '../parcels/parcels.queries.ts'
import { presentTrace } from './present-trace.ts'

/** Routes of the trace of a parcel: requests to its carrier, and the carrier's reports. */
export const traceRoutes = (context: Context) =>
  new Elysia({ name: 'traces', prefix: '/v1/parcels' })
    .use(context.auth)
    .macro(
      'parcel',
      projectResourceMacro('parcel', (projectId, id) => findParcel(context.sql, { projectId, id })),
    )
    .get(
      '/:id/trace',
      async ({ parcel, query }) => {
        const found = await readKeysetPage(query, (before, take) => listTraces(context.sql, parcel, before, take))
        return { ...found, data: found.data.map(presentTrace) }
      },
      {
        parcel: ['viewer', 'parcels:read'],
        params: T.Object({ id: Id }),
        query: T.Object(pageQuery),
        response: List(Trace),
        detail: {
          tags: ['Parcels'],
          summary: 'List the requests to the carrier for this parcel and its reports, with their outcomes; requests are stored for 30 days',
          operationId: 'readParcelTrace',
        },
      },
    )
