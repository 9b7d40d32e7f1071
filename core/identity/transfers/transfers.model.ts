import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, named, oneOf, Timestamp } from '../../http/schema.ts'
import { Email, SecondFactorField } from '../auth/auth.model.ts'

export const statuses = ['open', 'accepted', 'declined', 'replaced'] as const

export const NewTransfer = named(
  'NewAccountTransfer',
  exact({
    email: { ...Email, description: 'of whoever it is handed over to' },
    currentPassword: T.String({ maxLength: 200, description: 'the password of your account' }),
    secondFactor: SecondFactorField,
    language: T.Optional(oneOf(['en', 'fr', 'ar'], { description: 'of the mail' })),
  }),
)
export type NewTransfer = Static<typeof NewTransfer>

export const Transfer = named(
  'AccountTransfer',
  T.Object({ id: Id, email: T.String(), status: oneOf(statuses), createdAt: Timestamp, expiresAt: Timestamp }),
)
export type Transfer = Static<typeof Transfer>
