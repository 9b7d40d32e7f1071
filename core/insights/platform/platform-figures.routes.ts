import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { Data } from '../../http/schema.ts'
import { PlatformDay, PlatformTimelineQuery } from './platform-figures.model.ts'
import { readPlatformTimeline } from './read-timeline.ts'

/** Route of the platform figures for administrators. */
export const platformFigureRoutes = ({ auth, sql }: Context) =>
  new Elysia({ name: 'platform-figures' })
    .use(auth)
    .get('/v1/admins/analytics/timeline', async ({ query }) => ({ data: await readPlatformTimeline(sql, query) }), {
      user: 'admin',
      query: PlatformTimelineQuery,
      response: Data(T.Array(PlatformDay)),
      detail: { tags: ['Administration'], summary: 'Sign-ups and orders by day', operationId: 'readTimeline' },
    })
