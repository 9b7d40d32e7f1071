import type { Tx } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { newId } from '../../lib/ids.ts'
import { insertNotifications } from './users.queries.ts'

/** Notification to send to a user. */
export interface NewUserNotification {
  readonly userId: string
  readonly title: string
  readonly message: string
}

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published after users got notifications. */
    'users.notified': { readonly userIds: readonly string[] }
  }
}

/** Sends notifications in the app, one to each of the given users. */
export async function sendNotifications(tx: Tx, notifications: readonly NewUserNotification[]): Promise<void> {
  if (notifications.length === 0) return
  await insertNotifications(
    tx,
    notifications.map((each) => ({ ...each, id: newId('ntf') })),
  )
  await publish(tx, 'users.notified', { userIds: notifications.map(({ userId }) => userId) })
}
