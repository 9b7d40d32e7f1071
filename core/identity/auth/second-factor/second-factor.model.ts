import { Type as T } from '@sinclair/typebox'
import { exact, named } from '../../../http/schema.ts'

const Code = T.String({ minLength: 6, maxLength: 40, description: 'six digits from an authenticator app, or a recovery code' })
const Password = T.String({ maxLength: 200, description: 'the password of the account' })

/** State of the second factor of a user. */
export const SecondFactor = named('SecondFactor', T.Object({ enabled: T.Boolean(), recoveryCodesLeft: T.Integer() }))
/** Body of the request that starts the set-up of a second factor. */
export const NewSecondFactor = named('NewSecondFactor', exact({ currentPassword: Password }))
/** Secret for the authenticator app. */
export const SecondFactorSecret = named(
  'SecondFactorSecret',
  T.Object({
    secret: T.String({ description: 'base32, to type into the app' }),
    uri: T.String({ description: 'otpauth://…, to show as a QR code' }),
  }),
)
/** Body with a code of the second factor. */
export const SecondFactorCode = named('SecondFactorCode', exact({ secondFactor: Code }))
/** Body of the request that turns the second factor off. */
export const SecondFactorEnd = named('SecondFactorEnd', exact({ currentPassword: Password, secondFactor: Code }))
/** New recovery codes. */
export const RecoveryCodes = named(
  'RecoveryCodes',
  T.Object({ recoveryCodes: T.Array(T.String(), { description: 'shown only once; each works once' }) }),
)
