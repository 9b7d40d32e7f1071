import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { actorOf } from '../../http/auth/principal.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Nullable } from '../../http/schema.ts'
import { ConfirmationCall, NextCallRequest, ReleasedCall, ReleaseRequest } from './confirmation.model.ts'
import { leaseNextCall } from './lease-next-call.ts'
import { releaseCall } from './release.ts'

const describe = tagOperations('Orders')

/** Routes of the confirmation queue, which leases one order at a time to each agent. */
export const confirmationRoutes = ({ authority, sql }: Context) =>
  new Elysia({ name: 'confirmation', prefix: '/v1/orders/confirmation' })
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
    .post('/release', async ({ store, caller, body }) => ({ data: await releaseCall(sql, store, actorOf(caller).id, body) }), {
      store: ['agent', 'orders:write'],
      body: ReleaseRequest,
      response: Data(ReleasedCall),
      detail: describe('Record the outcome of the call, or return the order to the queue', 'releaseConfirmation'),
    })
