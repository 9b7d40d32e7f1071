import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { ofProject } from '../../http/auth.ts'
import { page } from '../../http/page.ts'
import { Id, List, pageQuery } from '../../http/schema.ts'
import { Trace } from '../../platform/gateway/traces.model.ts'
import { listTraces } from '../../platform/gateway/traces.queries.ts'
import { findParcel } from '../parcels/parcels.queries.ts'

/** What became of a report, in words. */
const BECAME: Readonly<Record<string, string>> = {
  applied: 'It moved the parcel.',
  cash: 'It moved the cash of the parcel.',
  stale: 'It is older than what moved the parcel last, and moved nothing.',
  same: 'It says what was known already, and moved nothing.',
  unmapped: 'Nobody has said yet what this status means; it moved nothing. Say it with a status rule of the connection.',
  impossible: 'A parcel does not come to this from where it was; it moved nothing.',
  ignored: 'It says nothing of where the parcel is, and moved nothing.',
}

const told = ({ report, ...trace }: Trace): Trace => ({
  ...trace,
  ...(report && { message: BECAME[trace.outcome] ?? null }),
  report: report && { ...report, at: new Date(report.at).toISOString() },
})

/** What was asked of the carrier for a parcel, and what it said. */
export const traces = (context: Context) =>
  new Elysia({ name: 'traces', prefix: '/v1/parcels' })
    .use(context.auth)
    .macro(
      'parcel',
      ofProject('parcel', (projectId, id) => findParcel(context.sql, { projectId, id })),
    )
    .get(
      '/:id/trace',
      async ({ parcel, query }) => {
        const found = await page(query, (before, take) => listTraces(context.sql, parcel, before, take))
        return { ...found, data: found.data.map(told) }
      },
      {
        parcel: 'parcels:read',
        params: T.Object({ id: Id }),
        query: T.Object(pageQuery),
        response: List(Trace),
        detail: {
          tags: ['Parcels'],
          summary:
            'What the carrier was asked for this parcel and what it said of it, with what became of that; what was asked is kept for 30 days',
          operationId: 'readParcelTrace',
        },
      },
    )
