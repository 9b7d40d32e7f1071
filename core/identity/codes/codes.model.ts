import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'
import { Email, Password, SecondFactorField, User } from '../auth/auth.model.ts'

export const purposes = ['sign_in', 'verify_email', 'reset_password'] as const
export type Purpose = (typeof purposes)[number]

export const Language = T.Optional(
  oneOf(['en', 'fr', 'ar'], { description: "of the mail; else the first that the caller's program wants" }),
)
const Code = T.String({ minLength: 1, maxLength: 20, description: 'the eight digits of the mail' })
const Token = T.String({ minLength: 1, maxLength: 100, description: 'of the link in the mail' })

export const NewCode = named(
  'NewCode',
  exact({
    email: Email,
    purpose: T.Optional(oneOf(purposes, { description: 'what the code is for; sign_in unless said' })),
    channel: T.Optional(oneOf(['email'], { description: 'how it is sent' })),
    language: Language,
  }),
)
export type NewCode = Static<typeof NewCode>

export const AskedCode = named(
  'AskedCode',
  T.Object({ id: T.String({ description: 'to be sent with the code' }), purpose: oneOf(purposes), expiresAt: Timestamp }),
)

export const GivenCode = named('GivenCode', exact({ id: Id, code: Code }))
export type GivenCode = Static<typeof GivenCode>
export const InspectedCode = named(
  'InspectedCode',
  T.Object({ purpose: oneOf(purposes), email: T.String(), attemptsLeft: T.Integer(), expiresAt: Timestamp }),
)

export const CodeUse = named(
  'CodeUse',
  exact({
    id: Id,
    code: Code,
    password: T.Optional({ ...Password, description: 'the new one, for reset_password' }),
    secondFactor: SecondFactorField,
  }),
)
export type CodeUse = Static<typeof CodeUse>
export const UsedCode = named(
  'UsedCode',
  T.Object({
    purpose: oneOf(purposes),
    user: User,
    token: Nullable(T.String(), { description: 'st_… of a new session, for sign_in' }),
  }),
)
export type UsedCode = Static<typeof UsedCode>

export const ResetRequest = named('ResetRequest', exact({ email: Email, language: Language }))
export const Confirmation = named('EmailConfirmation', exact({ token: Token }))
export const Sent = T.Object({ accepted: T.Literal(true) })
export const TokenQuery = T.Object({
  token: T.Optional(T.String({ maxLength: 200, description: 'of the link in the mail' })),
  ui_locales: T.Optional(T.String({ maxLength: 40, description: 'the language of the page' })),
})
