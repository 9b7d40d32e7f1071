import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List } from '../../../http/schema.ts'
import { ScanResult } from '../scans/scans.model.ts'
import { listExpected } from './list-expected.ts'
import { receiveReturns } from './receive-returns.ts'
import { ExpectedReturn, expectedQuery, ReturnScan } from './returns.model.ts'

const describe = tagOperations('Parcels')
const OfStore = T.Object({ storeId: Id })

/** Routes of returned parcels: those that are expected, and those that are scanned in. */
export const returnScanRoutes = (context: Context) =>
  new Elysia({ name: 'return-scans', prefix: '/v1/stores/:storeId/returns' })
    .use(context.authority)
    .get('/expected', ({ store, query }) => listExpected(context.sql, store.projectId, query), {
      store: ['viewer', 'parcels:read', 'parcels'],
      params: OfStore,
      query: expectedQuery,
      response: List(ExpectedReturn),
      detail: describe(
        'List parcels that their carrier calls returned and that nobody scanned in, oldest return first',
        'listExpectedReturns',
      ),
    })
    .post('/receive', async ({ store, body }) => ({ data: await receiveReturns(context, store.projectId, body) }), {
      store: ['agent', 'parcels:write', 'parcels'],
      params: OfStore,
      body: ReturnScan,
      response: Data(T.Array(ScanResult)),
      detail: {
        ...describe('Record by scan that returned parcels came back, in good condition or damaged', 'receiveReturnedParcels'),
        description:
          'Goods in good condition go back to stock, once, when the carrier has called the parcel returned too. Damaged goods stay out of stock, unless the store restocks on the carrier’s word (`returns.restock`: `on_status`, the default) and that came before the scan. A parcel is received once: a second scan answers `done_before` and changes nothing.',
      },
    })
