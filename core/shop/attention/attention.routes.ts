import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { tagOperations } from '../../http/route.ts'
import { Id } from '../../http/schema.ts'
import { attentionRow } from './attention.model.ts'
import { readAttention } from './read-attention.ts'

const describe = tagOperations('Stores')

/** Route of everything that waits for a person in a store. */
export const attentionRoutes = (context: Context) =>
  new Elysia({ name: 'attention', prefix: '/v1/stores/:storeId/attention' })
    .use(context.auth)
    .get(
      '',
      async ({ person, params: { storeId }, request: { signal } }) => ({ data: await readAttention(context, person, storeId, signal) }),
      {
        user: true,
        params: T.Object({ storeId: Id }),
        response: T.Object({ data: T.Array(attentionRow()) }),
        detail: {
          ...describe('Count what waits for a person in a store, by kind', 'readAttention'),
          description:
            'Kinds that your role or permissions do not show are absent, and so are those of which nothing waits. A kind that cannot be counted in time says so in `problem`.',
        },
      },
    )
