import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { newId } from '../../lib/ids.ts'
import { findPerson } from '../auth/account.ts'
import { type Origin, openSession } from '../auth/sign-in/open-session.ts'
import { findPeople } from '../auth/users/users.ts'
import { words } from './messages.ts'
import type { Action, LoginAs, NewEmail, NewNotification, Reached } from './users.model.ts'
import { insertAction, insertNotifications } from './users.queries.ts'

const LOGIN_AS_MS = 30 * 60_000

/** Records an action of an administrator, in the transaction of that action. */
export const noteAction = (tx: Tx, adminId: string, what: Action, userId: string | null, reason = '') =>
  insertAction(tx, { id: newId('act'), adminId, what, userId, reason })

/**
 * Creates a session of 30 minutes in the name of a user. A mail and a notification inform the user, and their list of sessions marks it.
 * Throws `forbidden` for platform administrators.
 */
export const loginAs = async (context: Context, tx: Tx, adminId: string, { userId, reason }: LoginAs, origin: Origin) => {
  const user = await findPerson(tx, userId)
  if (!user) throw notFound('The person')
  if (user.isAdmin) throw new ApiError('forbidden', 'Platform administrators cannot be impersonated.')
  const admin = await findPerson(tx, adminId)
  const token = await openSession(tx, userId, origin, { means: 'admin', adminId, lifeMs: LOGIN_AS_MS })
  await noteAction(tx, adminId, 'login_as', userId, reason)
  const { title, said } = words[user.language ?? context.config.defaultLanguage]
  const message = said.replace('{admin}', () => admin?.name ?? '').replace('{reason}', () => reason)
  await insertNotifications(tx, [{ userId, id: newId('ntf'), title, message }])
  await context.mail.send(tx, { to: user.email, template: 'admin_message', values: { subject: title, message } })
  return { user, token, expiresAt: new Date(Date.now() + LOGIN_AS_MS).toISOString() }
}

/** Mails users. The mail feature withholds mails above the limit of an address; the result counts them. */
export const mailPeople = ({ sql, mail }: Context, adminId: string, { userIds, subject, message, language }: NewEmail): Promise<Reached> =>
  transaction(sql, async (tx) => {
    const people = await findPeople(tx, userIds)
    let reached = 0
    // Sorted, because each mail locks its address and all transactions must lock in one order.
    for (const { id, email } of people.toSorted((a, b) => (a.email < b.email ? -1 : 1))) {
      const sent = await mail.send(tx, { to: email, template: 'admin_message', language, values: { subject, message } })
      if ('id' in sent) reached += 1
      await noteAction(tx, adminId, 'mailed', id, subject)
    }
    return { reached, withheld: people.length - reached, unknown: missing(userIds, people) }
  })

/** Sends a notification in the app to users. The result lists unknown ids. */
export const notifyPeople = ({ sql }: Context, adminId: string, { userIds, title, message }: NewNotification): Promise<Reached> =>
  transaction(sql, async (tx) => {
    const people = await findPeople(tx, userIds)
    if (people.length > 0)
      await insertNotifications(
        tx,
        people.map(({ id }) => ({ userId: id, id: newId('ntf'), title, message })),
      )
    for (const { id } of people) await noteAction(tx, adminId, 'notified', id, title)
    return { reached: people.length, withheld: 0, unknown: missing(userIds, people) }
  })

const missing = (ids: readonly string[], people: readonly { id: string }[]) => {
  const found = new Set(people.map(({ id }) => id))
  return [...new Set(ids)].filter((id) => !found.has(id))
}
