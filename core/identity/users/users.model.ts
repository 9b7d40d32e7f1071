import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { Email, User } from '../auth/auth.model.ts'

/** Actions of administrators that are recorded. */
export const adminActions = [
  'person.created',
  'person.changed',
  'person.deleted',
  'admin.appointed',
  'admin.dismissed',
  'login_as',
  'mailed',
  'notified',
] as const
/** Action of an administrator. */
export type AdminActionName = (typeof adminActions)[number]

/** Recorded action of an administrator. */
export const AdminAction = named(
  'AdminAction',
  T.Object({
    id: Id,
    adminId: Nullable(Id),
    what: oneOf(adminActions),
    userId: Nullable(Id),
    reason: T.String(),
    createdAt: Timestamp,
  }),
)
/** Type of {@link AdminAction}. */
export type AdminAction = Static<typeof AdminAction>

/** Body of the request that appoints an administrator. */
export const AdminAppointment = named(
  'AdminAppointment',
  exact({ email: { ...Email, description: 'confirmed e-mail address of an account' } }),
)
/** Response to the check of the own administrator role. */
export const AdminCheck = named('AdminCheck', T.Object({ isAdmin: T.Boolean() }))

/** Body of the request to sign in as a user. */
export const LoginAs = named('LoginAs', exact({ userId: Id, reason: Text(500, 3) }, { description: 'the reason is shown to the user' }))
/** Type of {@link LoginAs}. */
export type LoginAs = Static<typeof LoginAs>
/** Session in the name of a user. */
export const LoginAsResult = named('LoggedInAs', T.Object({ user: User, token: T.String(), expiresAt: Timestamp }))

const userIds = T.Array(Id, { minItems: 1, maxItems: 100 })
/** Body of the request that mails users. */
export const NewEmail = named(
  'AdminEmail',
  exact({ userIds, subject: Text(200, 1), message: Text(20_000, 1), language: T.Optional(oneOf(['en', 'fr', 'ar'])) }),
)
/** Type of {@link NewEmail}. */
export type NewEmail = Static<typeof NewEmail>
/** Body of the request that notifies users. */
export const NewNotification = named('AdminNotification', exact({ userIds, title: Text(200, 1), message: Text(2_000, 1) }))
/** Type of {@link NewNotification}. */
export type NewNotification = Static<typeof NewNotification>
/** Result of mailing or notifying users. */
export const DeliveryReport = named(
  'PeopleReached',
  T.Object({
    reached: T.Integer({ description: 'number of users who receive it' }),
    withheld: T.Integer({ description: 'number of users whose address reached the hourly limit of mails, or is invalid' }),
    unknown: T.Array(T.String(), { description: 'ids without a user' }),
  }),
)
/** Type of {@link DeliveryReport}. */
export type DeliveryReport = Static<typeof DeliveryReport>

/** Notification as the API shows it. */
export const Notification = named(
  'Notification',
  T.Object({ id: Id, title: T.String(), message: T.String(), createdAt: Timestamp, readAt: Nullable(Timestamp) }),
)
/** Type of {@link Notification}. */
export type Notification = Static<typeof Notification>
