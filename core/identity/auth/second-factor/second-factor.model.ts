import { Type as T } from '@sinclair/typebox'
import { exact, named } from '../../../http/schema.ts'

const Code = T.String({ minLength: 6, maxLength: 40, description: 'six digits of an authenticator app, or a recovery code' })
const Password = T.String({ maxLength: 200, description: 'the password of the account' })

export const SecondFactor = named('SecondFactor', T.Object({ enabled: T.Boolean(), recoveryCodesLeft: T.Integer() }))
export const NewSecondFactor = named('NewSecondFactor', exact({ currentPassword: Password }))
export const SecondFactorSecret = named(
  'SecondFactorSecret',
  T.Object({
    secret: T.String({ description: 'base32, to type off' }),
    uri: T.String({ description: 'otpauth://…, to show as a QR code' }),
  }),
)
export const SecondFactorCode = named('SecondFactorCode', exact({ secondFactor: Code }))
export const SecondFactorEnd = named('SecondFactorEnd', exact({ currentPassword: Password, secondFactor: Code }))
export const RecoveryCodes = named(
  'RecoveryCodes',
  T.Object({ recoveryCodes: T.Array(T.String(), { description: 'shown this once; each works once' }) }),
)
