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

/** Written in the transaction of what an administrator does, and kept. */
export const noteAction = (tx: Tx, adminId: string, what: Action, userId: string | null, reason = '') =>
  insertAction(tx, { id: newId('act'), adminId, what, userId, reason })

/** A session of half an hour in a person's name, of which he is told by mail and within, and which is marked among his sessions. */
export const loginAs = async (context: Context, tx: Tx, adminId: string, { userId, reason }: LoginAs, origin: Origin) => {
  const user = await findPerson(tx, userId)
  if (!user) throw notFound('The person')
  if (user.isAdmin) throw new ApiError('forbidden', 'Nobody acts as an administrator of the platform.')
  const admin = await findPerson(tx, adminId)
  const token = await openSession(tx, userId, origin, { means: 'admin', adminId, lifeMs: LOGIN_AS_MS })
  await noteAction(tx, adminId, 'login_as', userId, reason)
  const { title, said } = words[user.language ?? context.config.defaultLanguage]
  const message = said.replace('{admin}', () => admin?.name ?? '').replace('{reason}', () => reason)
  await insertNotifications(tx, [{ userId, id: newId('ntf'), title, message }])
  await context.mail.send(tx, { to: user.email, template: 'admin_message', values: { subject: title, message } })
  return { user, token, expiresAt: new Date(Date.now() + LOGIN_AS_MS).toISOString() }
}

/** Writes to people by mail; each address gets no more than it bears. */
export const mailPeople = ({ sql, mail }: Context, adminId: string, { userIds, subject, message, language }: NewEmail): Promise<Reached> =>
  transaction(sql, async (tx) => {
    const people = await findPeople(tx, userIds)
    let reached = 0
    // In one order, since each mail holds its address.
    for (const { id, email } of people.toSorted((a, b) => (a.email < b.email ? -1 : 1))) {
      const written = await mail.send(tx, { to: email, template: 'admin_message', language, values: { subject, message } })
      if ('id' in written) reached += 1
      await noteAction(tx, adminId, 'mailed', id, subject)
    }
    return { reached, withheld: people.length - reached, unknown: missing(userIds, people) }
  })

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
