import { Type as T } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import type { Context } from '../../context.ts'
import { sensitiveNeeds } from '../../http/auth/scopes.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List } from '../../http/schema.ts'
import { AGED_DAYS } from '../ledger/owed.ts'
import { CashHolder } from './overview.model.ts'
import { listCashHolders } from './overview.ts'
import { CarrierPayout, carrierPayoutsQuery } from './payouts.model.ts'
import { listCarrierPayouts } from './payouts.ts'

const describe = tagOperations('Cash')
const ByStore = T.Object({ storeId: Id })
const agedDays = T.Optional(
  t.Integer({ minimum: 0, maximum: 3650, default: AGED_DAYS, description: 'days after which money that is not paid out is aged' }),
)

/** Routes that show a store's cash over all its carriers and gateways. */
export const cashRoutes = (context: Context) =>
  new Elysia({ name: 'cash', prefix: '/v1/stores/:storeId/cash' })
    .use(context.authority)
    .get('', async ({ store, query, request }) => ({ data: await listCashHolders(context, store, query.agedDays, request.signal) }), {
      store: ['admin', sensitiveNeeds.readParcelCash, 'parcels'],
      params: ByStore,
      query: T.Object({ agedDays }),
      response: Data(T.Array(CashHolder)),
      detail: describe('List what each carrier and gateway owes, and since when', 'listCashHolders'),
    })
    .get('/payouts', ({ store, query }) => listCarrierPayouts(context, store.projectId, query), {
      store: ['admin', sensitiveNeeds.readParcelCash, 'parcels'],
      params: ByStore,
      query: carrierPayoutsQuery,
      response: List(CarrierPayout),
      detail: describe('List the payouts of all carriers, newest first, as they were last read', 'listCarrierPayouts'),
    })
