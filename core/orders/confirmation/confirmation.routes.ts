import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { actorOf } from '../../http/auth/principal.ts'
import { Data, Nullable } from '../../http/schema.ts'
import { Call, NextCall, Release, Released } from './confirmation.model.ts'
import { nextCall } from './next.ts'
import { releaseCall } from './release.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Orders'], summary, operationId })

/** Orders that wait to be confirmed by phone, one for each who calls. */
export const confirmation = ({ authority, sql }: Context) =>
  new Elysia({ name: 'confirmation', prefix: '/v1/orders/confirmation' })
    .use(authority)
    .post(
      '/next',
      async ({ store, caller, body: { languages = null, skills = null } }) => ({
        data: await nextCall(sql, store, { id: actorOf(caller).id, languages, skills }, caller),
      }),
      {
        store: ['agent', 'orders:write'],
        body: NextCall,
        response: T.Object({ data: Nullable(Call, { description: 'null where nothing is due' }) }),
        detail: describe('The order to call next: yours alone until you release it or its time is over', 'nextConfirmation'),
      },
    )
    .post('/release', async ({ store, caller, body }) => ({ data: await releaseCall(sql, store, actorOf(caller).id, body) }), {
      store: ['agent', 'orders:write'],
      body: Release,
      response: Data(Released),
      detail: describe('Say what came of the call, or give the order back', 'releaseConfirmation'),
    })
