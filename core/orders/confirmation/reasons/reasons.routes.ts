import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id } from '../../../http/schema.ts'
import { CallReasons, CallReasonsReplacement } from './reasons.model.ts'
import { readReasons, replaceReasons } from './replace-reasons.ts'

const describe = tagOperations('Orders')
const params = T.Object({ storeId: Id })

/** Routes of the reasons that a store offers its agents for the outcome of a call. */
export const reasonRoutes = ({ authority, sql }: Context) =>
  new Elysia({ name: 'confirmation reasons', prefix: '/v1/stores/:storeId/confirmation' })
    .use(authority)
    .get('/reasons', async ({ store }) => ({ data: await readReasons(sql, store) }), {
      store: ['viewer', 'orders:read'],
      params,
      response: Data(CallReasons),
      detail: describe('Read the reasons that agents can choose for the outcome of a call', 'readCallReasons'),
    })
    .put('/reasons', async ({ store, body }) => ({ data: await replaceReasons(sql, store, body.reasons) }), {
      store: ['admin', 'stores:write'],
      params,
      body: CallReasonsReplacement,
      response: Data(CallReasons),
      detail: describe('Replace the reasons that agents can choose for the outcome of a call', 'replaceCallReasons'),
    })
