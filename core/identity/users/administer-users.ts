import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { findPublicUser } from '../auth/account.ts'
import { type ClientOrigin, createSession } from '../auth/sign-in/create-session.ts'
import { findUsers } from '../auth/users/users.ts'
import { loginAsMessages } from './messages.ts'
import { sendNotifications } from './send-notifications.ts'
import { userErrors } from './users.errors.ts'
import type { AdminActionName, DeliveryReport, LoginAs, NewEmail, NewNotification } from './users.model.ts'
import { insertAdminAction } from './users.queries.ts'

const LOGIN_AS_MS = 30 * 60_000

/** Records an action of an administrator, in the transaction of that action. */
export const recordAdminAction = (tx: Tx, adminId: string, what: AdminActionName, userId: string | null, reason = '') =>
  insertAdminAction(tx, { id: newId('act'), adminId, what, userId, reason })

/**
 * Creates a session of 30 minutes in the name of a user. A mail and a notification inform the user, and their list of sessions marks it.
 * Throws `forbidden` for platform administrators.
 */
export const loginAs = async (context: Context, tx: Tx, adminId: string, { userId, reason }: LoginAs, origin: ClientOrigin) => {
  const user = await findPublicUser(tx, userId)
  if (!user) throw notFound('The person')
  if (user.isAdmin) throw userErrors.adminNotImpersonated()
  const admin = await findPublicUser(tx, adminId)
  const token = await createSession(tx, userId, origin, { means: 'admin', adminId, lifeMs: LOGIN_AS_MS })
  await recordAdminAction(tx, adminId, 'login_as', userId, reason)
  const { title, message: template } = loginAsMessages[user.language ?? context.config.defaultLanguage]
  const message = template.replace('{admin}', () => admin?.name ?? '').replace('{reason}', () => reason)
  await sendNotifications(tx, [{ userId, title, message }])
  await context.mail.send(tx, { to: user.email, template: 'admin_message', values: { subject: title, message } })
  return { user, token, expiresAt: new Date(Date.now() + LOGIN_AS_MS).toISOString() }
}

/** Mails users. The mail feature withholds mails above the limit of an address; the result counts them. */
export const mailUsers = (
  { sql, mail }: Context,
  adminId: string,
  { userIds, subject, message, language }: NewEmail,
): Promise<DeliveryReport> =>
  transaction(sql, async (tx) => {
    const people = await findUsers(tx, userIds)
    let reached = 0
    // Sorted, because each mail locks its address and all transactions must lock in one order.
    for (const { id, email } of people.toSorted((a, b) => (a.email < b.email ? -1 : 1))) {
      const sent = await mail.send(tx, { to: email, template: 'admin_message', language, values: { subject, message } })
      if ('id' in sent) reached += 1
      await recordAdminAction(tx, adminId, 'mailed', id, subject)
    }
    return { reached, withheld: people.length - reached, unknown: missing(userIds, people) }
  })

/** Sends a notification in the app to users. The result lists unknown ids. */
export const notifyUsers = ({ sql }: Context, adminId: string, { userIds, title, message }: NewNotification): Promise<DeliveryReport> =>
  transaction(sql, async (tx) => {
    const people = await findUsers(tx, userIds)
    await sendNotifications(
      tx,
      people.map(({ id }) => ({ userId: id, title, message })),
    )
    for (const { id } of people) await recordAdminAction(tx, adminId, 'notified', id, title)
    return { reached: people.length, withheld: 0, unknown: missing(userIds, people) }
  })

const missing = (ids: readonly string[], people: readonly { id: string }[]) => {
  const found = new Set(people.map(({ id }) => id))
  return [...new Set(ids)].filter((id) => !found.has(id))
}
