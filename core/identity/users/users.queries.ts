import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { expectOne, type Queryable, rowValues } from '../../data/sql.ts'
import type { AdminAction, AdminActionName, Notification } from './users.model.ts'

/** Inserts an action of an administrator. */
export const insertAdminAction = (
  sql: Queryable,
  action: { id: string; adminId: string; what: AdminActionName; userId: string | null; reason: string },
) => sql`insert into admin_actions ${rowValues(sql, action)}`

/** Lists actions of administrators, newest first. `before` is the id that ended the previous page. */
export const listAdminActions = (sql: Queryable, before: string | null, take: number) =>
  sql<AdminAction[]>`select id, admin_id, what, user_id, reason, created_at from admin_actions
    where (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Inserts notifications. */
export const insertNotifications = (
  sql: Queryable,
  notifications: readonly { userId: string; id: string; title: string; message: string }[],
) => sql`insert into notifications ${rowValues(sql, notifications)}`

/** Lists the notifications of a user, newest first. `before` is the id that ended the previous page. */
export const listNotifications = (sql: Queryable, userId: string, before: string | null, take: number) =>
  sql<Notification[]>`select id, title, message, created_at, read_at from notifications
    where user_id = ${userId} and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Counts the unread notifications of a user, up to `most`. */
export const countUnreadNotifications = async (sql: Queryable, userId: string, most: number) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from (
      select 1 from notifications where user_id = ${userId} and read_at is null limit ${most}) unread`,
  ).count

/** Marks a notification of a user as read and returns it. Returns undefined when there is none. */
export const markNotificationRead = async (sql: Queryable, userId: string, id: string) =>
  (
    await sql<Notification[]>`update notifications set read_at = coalesce(read_at, now()) where user_id = ${userId} and id = ${id}
      returning id, title, message, created_at, read_at`
  )[0]

/** Deletes all notifications of a user. */
export const deleteNotificationsOfUser = (sql: Queryable, userId: string) => sql`delete from notifications where user_id = ${userId}`

/** Deletes at most `most` notifications that are older than `days` days. Returns the number of deleted rows. */
export const deleteOldNotifications = async (sql: Queryable, days: number, most: number) =>
  (
    await sql`delete from notifications where (user_id, id) in (
      select user_id, id from notifications where created_at < now() - ${days} * interval '1 day' order by created_at limit ${most})`
  ).count

/** Notifications of a store's members, for the search of personal data of its customers. */
export const personalNotifications = eraseBySearch({
  table: 'notifications',
  owner: (sql, { storeId }) =>
    sql`user_id in (select owner_id from stores where id = ${storeId} union select user_id from store_members where store_id = ${storeId})`,
  key: ['user_id', 'id'],
  columns: { title: 'text', message: 'text' },
  created: 'created_at',
})
