import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, named, oneOf, Timestamp } from '../../http/schema.ts'
import { Email, SecondFactorField } from '../auth/auth.model.ts'

/** States of a transfer. */
const transferStatuses = ['open', 'accepted', 'declined', 'replaced'] as const

/** Body of the request that offers an account to another user. */
export const NewTransfer = named(
  'NewAccountTransfer',
  exact({
    email: { ...Email, description: 'e-mail address of the new owner' },
    currentPassword: T.String({ maxLength: 200, description: 'the password of your account' }),
    secondFactor: SecondFactorField,
    language: T.Optional(oneOf(['en', 'fr', 'ar'], { description: 'language of the mail' })),
  }),
)
/** Type of {@link NewTransfer}. */
export type NewTransfer = Static<typeof NewTransfer>

/** Transfer as the API shows it. */
export const Transfer = named(
  'AccountTransfer',
  T.Object({ id: Id, email: T.String(), status: oneOf(transferStatuses), createdAt: Timestamp, expiresAt: Timestamp }),
)
/** Type of {@link Transfer}. */
export type Transfer = Static<typeof Transfer>
