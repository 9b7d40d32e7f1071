import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { Email, User } from '../auth/auth.model.ts'

export const actions = [
  'person.created',
  'person.changed',
  'person.deleted',
  'admin.appointed',
  'admin.dismissed',
  'login_as',
  'mailed',
  'notified',
] as const
export type Action = (typeof actions)[number]

export const AdminAction = named(
  'AdminAction',
  T.Object({
    id: Id,
    adminId: Nullable(Id),
    what: oneOf(actions),
    userId: Nullable(Id),
    reason: T.String(),
    createdAt: Timestamp,
  }),
)
export type AdminAction = Static<typeof AdminAction>

export const Appointment = named(
  'AdminAppointment',
  exact({ email: { ...Email, description: 'of a person who has an account, and has confirmed it' } }),
)
export const AdminCheck = named('AdminCheck', T.Object({ isAdmin: T.Boolean() }))

export const LoginAs = named('LoginAs', exact({ userId: Id, reason: Text(500, 3) }, { description: 'the person reads the reason' }))
export type LoginAs = Static<typeof LoginAs>
export const LoggedInAs = named('LoggedInAs', T.Object({ user: User, token: T.String(), expiresAt: Timestamp }))

const userIds = T.Array(Id, { minItems: 1, maxItems: 100 })
export const NewEmail = named(
  'AdminEmail',
  exact({ userIds, subject: Text(200, 1), message: Text(20_000, 1), language: T.Optional(oneOf(['en', 'fr', 'ar'])) }),
)
export type NewEmail = Static<typeof NewEmail>
export const NewNotification = named('AdminNotification', exact({ userIds, title: Text(200, 1), message: Text(2_000, 1) }))
export type NewNotification = Static<typeof NewNotification>
export const Reached = named(
  'PeopleReached',
  T.Object({
    reached: T.Integer({ description: 'people whom it goes to' }),
    withheld: T.Integer({ description: 'people who had as many mails as an address gets within an hour, or whose address is none' }),
    unknown: T.Array(T.String(), { description: 'ids of nobody' }),
  }),
)
export type Reached = Static<typeof Reached>

export const Notification = named(
  'Notification',
  T.Object({ id: Id, title: T.String(), message: T.String(), createdAt: Timestamp, readAt: Nullable(Timestamp) }),
)
export type Notification = Static<typeof Notification>
