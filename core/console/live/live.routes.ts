import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { tagOperations } from '../../http/route.ts'
import { Id } from '../../http/schema.ts'
import { readStoreRights } from '../../shop/stores/access.ts'
import { topics } from './live.model.ts'
import { openLive } from './open-live.ts'

const describe = tagOperations('Stores')
const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
const DESCRIPTION = [
  'Server-sent events. `ready`: the stream has begun; read anew what you show.',
  `\`hint\`: something changed, with its \`topic\` and \`id\`. Topics: ${topics.join(', ')}. The id is null when several things changed.`,
  '`closed`: the server ends the stream, with a `reason`: `expired` after 15 minutes, `access_changed`, `slow` or `shutdown`.',
].join(' ')

/** Route of the live stream of a store. */
export const live = (context: Context) =>
  new Elysia({ name: 'live', prefix: '/v1/stores/:storeId/live' }).use(context.auth).get(
    '',
    async ({ person, params, request }) => {
      // The body of a HEAD would be read to its end.
      if (request.method === 'HEAD') {
        await readStoreRights(context.sql, person, params.storeId)
        return new Response(null, { headers: HEADERS })
      }
      return new Response((await openLive(context, person, params.storeId, request)).body, { headers: HEADERS })
    },
    {
      user: true,
      params: T.Object({ storeId: Id }),
      detail: {
        ...describe('Hear of changes in a store as they happen, as server-sent events', 'streamStoreChanges'),
        responses: { 200: { description: DESCRIPTION, content: { 'text/event-stream': { schema: { type: 'string' as const } } } } },
      },
    },
  )
