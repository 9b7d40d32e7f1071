import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { Data } from '../../http/schema.ts'
import { TimelineDay, TimelineQuery } from './platform-figures.model.ts'
import { readTimeline } from './read-timeline.ts'

/** Route of the platform figures for administrators. */
export const platformFigures = ({ auth, sql }: Context) =>
  new Elysia({ name: 'platform-figures' })
    .use(auth)
    .get('/v1/admins/analytics/timeline', async ({ query }) => ({ data: await readTimeline(sql, query) }), {
      user: 'admin',
      query: TimelineQuery,
      response: Data(T.Array(TimelineDay)),
      detail: { tags: ['Administration'], summary: 'Sign-ups and orders by day', operationId: 'readTimeline' },
    })
