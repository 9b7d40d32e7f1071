import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { actorOf } from '../../http/auth/principal.ts'
import { changeOnce } from '../../http/idempotency.ts'
import { idempotencyKeyHeader } from '../../http/openapi/operation.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, Nullable } from '../../http/schema.ts'
import { drainOrdersFirst } from '../changes/drain-changes.ts'
import { CALLERS_MAX, CallerOrder, CallerQuery } from '../search/callers.model.ts'
import { findCallers } from '../search/find-callers.ts'
import {
  ConfirmationCall,
  ConfirmationCounts,
  NextCallRequest,
  ReleasedCall,
  ReleaseRequest,
  TakeRequest,
  UndoRequest,
} from './confirmation.model.ts'
import { countCalls } from './count-calls.ts'
import { leaseNextCall } from './leases/lease-next-call.ts'
import { takeOrder } from './leases/take-order.ts'
import { undoOutcome } from './leases/undo-outcome.ts'
import { releaseCall } from './release.ts'

const describe = tagOperations('Orders')
const repeatable = { parameters: [idempotencyKeyHeader] }

/** Routes of the confirmation queue, which leases one order at a time to each agent. */
export const confirmationRoutes = (context: Context) => {
  const { authority, sql } = context
  return new Elysia({ name: 'confirmation', prefix: '/v1/orders/confirmation' })
    .use(authority)
    .post(
      '/next',
      async ({ store, caller, body: { languages = null, skills = null } }) => ({
        data: await leaseNextCall(sql, store, { id: actorOf(caller).id, languages, skills }, caller),
      }),
      {
        store: ['agent', 'orders:write'],
        body: NextCallRequest,
        response: T.Object({ data: Nullable(ConfirmationCall, { description: 'null when no order is due' }) }),
        detail: describe('Lease the next order to call; it is yours until you release it or the lease ends', 'nextConfirmation'),
      },
    )
    .post('/take', async ({ store, caller, body }) => ({ data: await takeOrder(sql, store, actorOf(caller).id, body.orderId, caller) }), {
      store: ['agent', 'orders:write'],
      body: TakeRequest,
      response: Data(ConfirmationCall),
      detail: {
        ...describe('Lease the order of a customer who calls, unless a colleague has it', 'takeConfirmation'),
        description: '`order_held` names in `details` the colleague who has the order, and until when.',
      },
    })
    .post(
      '/release',
      async (change) => {
        const { store, caller, body } = change
        await drainOrdersFirst(sql, store.id, [body.orderId])
        return changeOnce(context, change, async (tx) => ({ data: await releaseCall(tx, store, actorOf(caller).id, body) }))
      },
      {
        store: ['agent', 'orders:write'],
        body: ReleaseRequest,
        response: Data(ReleasedCall),
        detail: { ...describe('Record the outcome of the call, or return the order to the queue', 'releaseConfirmation'), ...repeatable },
      },
    )
    .post(
      '/undo',
      async (change) => {
        const { store, caller, body } = change
        await drainOrdersFirst(sql, store.id, [body.orderId])
        return changeOnce(context, change, async (tx) => ({ data: await undoOutcome(tx, store, actorOf(caller).id, body, caller) }))
      },
      {
        store: ['agent', 'orders:write'],
        body: UndoRequest,
        response: Data(ConfirmationCall),
        detail: {
          ...describe('Undo the outcome of a call within ten seconds; the order is yours again', 'undoConfirmation'),
          ...repeatable,
        },
      },
    )
    .get('/callers', async ({ store, query: { phone } }) => ({ data: await findCallers(sql, store.id, phone) }), {
      store: ['agent', 'orders:read'],
      query: CallerQuery,
      response: Data(T.Array(CallerOrder)),
      detail: {
        ...describe('Find the orders of a customer who calls, by the end of the phone number', 'findCallers'),
        description: `Up to ${CALLERS_MAX} orders that no carrier has, newest first.`,
      },
    })
    .get('/counts', async ({ store, caller }) => ({ data: await countCalls(sql, store, actorOf(caller).id) }), {
      store: ['agent', 'orders:read'],
      query: T.Object({ storeId: T.Optional(Id) }),
      response: Data(ConfirmationCounts),
      detail: describe('Count the orders that wait for a call, and your calls of today', 'countConfirmations'),
    })
}
