import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id } from '../../../http/schema.ts'
import { scanParcels } from './scan-parcels.ts'
import { ScanRequest, ScanResult } from './scans.model.ts'

const describe = tagOperations('Parcels')
const OfStore = T.Object({ storeId: Id })
const Results = Data(T.Array(ScanResult))

/** Routes that record by scan that parcels were packed and handed over. */
export const scanRoutes = (context: Context) =>
  new Elysia({ name: 'parcel-scans', prefix: '/v1/stores/:storeId/parcels' })
    .use(context.authority)
    .post('/pack', async ({ store, body }) => ({ data: await scanParcels(context, store.projectId, body, 'packed') }), {
      store: ['agent', 'parcels:write', 'parcels'],
      params: OfStore,
      body: ScanRequest,
      response: Results,
      detail: {
        ...describe('Record by scan that parcels were packed; the response has a result for each code', 'packParcels'),
        description:
          'A parcel is packed once: a second scan answers `done_before`, with the time and the actor of the first. A code that cannot be packed is `refused` with a `reason`, and the other codes are recorded all the same.',
      },
    })
    .post('/hand-over', async ({ store, body }) => ({ data: await scanParcels(context, store.projectId, body, 'handed_over') }), {
      store: ['agent', 'parcels:write', 'parcels'],
      params: OfStore,
      body: ScanRequest,
      response: Results,
      detail: {
        ...describe('Record by scan that parcels were handed over to their carrier', 'handOverParcels'),
        description:
          'Works as packing does, and does not need it. For a list that the courier signs, scan the parcels into a manifest instead.',
      },
    })
