import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { Notification } from './users.model.ts'
import { listNotifications, markNotificationRead } from './users.queries.ts'

const describe = tagOperations('Users')

/** Routes for the notifications of a user. */
export const notifications = ({ auth, sql }: Context) =>
  new Elysia({ name: 'notifications', prefix: '/v1/me/notifications' })
    .use(auth)
    .get('', ({ person, query }) => readKeysetPage(query, (before, take) => listNotifications(sql, person.id, before, take)), {
      user: true,
      query: T.Object(pageQuery),
      response: List(Notification),
      detail: describe('List your notifications, newest first; they are kept for 90 days', 'listNotifications'),
    })
    .post(
      '/:notificationId/read',
      async ({ person, params }) => {
        const read = await markNotificationRead(sql, person.id, params.notificationId)
        if (!read) throw notFound('The notification')
        return { data: read }
      },
      {
        user: 'direct',
        params: T.Object({ notificationId: Id }),
        response: Data(Notification),
        detail: describe('Mark a notification as read', 'readNotification'),
      },
    )
