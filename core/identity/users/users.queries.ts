import { searched } from '../../data/personal-data/search-person.ts'
import { type Queryable, row } from '../../data/sql.ts'
import type { Action, AdminAction, Notification } from './users.model.ts'

export const insertAction = (
  sql: Queryable,
  action: { id: string; adminId: string; what: Action; userId: string | null; reason: string },
) => sql`insert into admin_actions ${row(sql, action)}`

export const listActions = (sql: Queryable, before: string | null, take: number) =>
  sql<AdminAction[]>`select id, admin_id, what, user_id, reason, created_at from admin_actions
    where (${before}::text is null or id < ${before}) order by id desc limit ${take}`

export const insertNotifications = (
  sql: Queryable,
  notifications: readonly { userId: string; id: string; title: string; message: string }[],
) => sql`insert into notifications ${row(sql, notifications)}`

export const listNotifications = (sql: Queryable, userId: string, before: string | null, take: number) =>
  sql<Notification[]>`select id, title, message, created_at, read_at from notifications
    where user_id = ${userId} and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

export const markRead = async (sql: Queryable, userId: string, id: string) =>
  (
    await sql<Notification[]>`update notifications set read_at = coalesce(read_at, now()) where user_id = ${userId} and id = ${id}
      returning id, title, message, created_at, read_at`
  )[0]

export const forgetNotificationsOf = (sql: Queryable, userId: string) => sql`delete from notifications where user_id = ${userId}`

/** How many were forgotten. */
export const forgetOldNotifications = async (sql: Queryable, days: number, most: number) =>
  (
    await sql`delete from notifications where (user_id, id) in (
      select user_id, id from notifications where created_at < now() - ${days} * interval '1 day' order by created_at limit ${most})`
  ).count

/** Notifications of a store's people, where they name its customers. */
export const personalNotifications = searched({
  table: 'notifications',
  owner: (sql, { storeId }) =>
    sql`user_id in (select owner_id from stores where id = ${storeId} union select user_id from store_members where store_id = ${storeId})`,
  key: ['user_id', 'id'],
  columns: { title: 'text', message: 'text' },
  created: 'created_at',
})
