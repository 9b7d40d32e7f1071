import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'
import { Email, Password, SecondFactorField, User } from '../auth/auth.model.ts'

/** Purposes of one-time codes. */
export const codePurposes = ['sign_in', 'verify_email', 'reset_password'] as const
/** Purpose of a one-time code. */
export type CodePurpose = (typeof codePurposes)[number]

/** Optional language of a mail. */
const MailLanguage = T.Optional(
  oneOf(['en', 'fr', 'ar'], { description: 'language of the mail; by default the first supported language of Accept-Language' }),
)
const Code = T.String({ minLength: 1, maxLength: 20, description: 'the eight digits in the mail' })
const Token = T.String({ minLength: 1, maxLength: 100, description: 'token of the link in the mail' })

/** Body of the request for a one-time code. */
export const NewCode = named(
  'NewCode',
  exact({
    email: Email,
    purpose: T.Optional(oneOf(codePurposes, { description: 'purpose of the code; sign_in by default' })),
    channel: T.Optional(oneOf(['email'], { description: 'how it is sent' })),
    language: MailLanguage,
  }),
)
/** Type of {@link NewCode}. */
export type NewCode = Static<typeof NewCode>

/** Response to the request for a one-time code. */
export const RequestedCode = named(
  'AskedCode',
  T.Object({ id: T.String({ description: 'send this id together with the code' }), purpose: oneOf(codePurposes), expiresAt: Timestamp }),
)

/** Body with a one-time code and the id of its request. */
export const SubmittedCode = named('GivenCode', exact({ id: Id, code: Code }))
/** Type of {@link SubmittedCode}. */
export type SubmittedCode = Static<typeof SubmittedCode>
/** State of a one-time code that is correct. */
export const CodeInspection = named(
  'InspectedCode',
  T.Object({ purpose: oneOf(codePurposes), email: T.String(), attemptsLeft: T.Integer(), expiresAt: Timestamp }),
)

/** Body of the request that uses a one-time code. */
export const CodeUse = named(
  'CodeUse',
  exact({
    id: Id,
    code: Code,
    password: T.Optional({ ...Password, description: 'the new password, for reset_password' }),
    secondFactor: SecondFactorField,
  }),
)
/** Type of {@link CodeUse}. */
export type CodeUse = Static<typeof CodeUse>
/** Result of using a one-time code. */
export const CodeUseResult = named(
  'UsedCode',
  T.Object({
    purpose: oneOf(codePurposes),
    user: User,
    token: Nullable(T.String(), { description: 'st_…: token of the new session, for sign_in' }),
  }),
)
/** Type of {@link CodeUseResult}. */
export type CodeUseResult = Static<typeof CodeUseResult>

/** Body of the request for a link to choose a new password. */
export const PasswordResetRequest = named('ResetRequest', exact({ email: Email, language: MailLanguage }))
/** Body with the token of a mailed link. */
export const EmailConfirmation = named('EmailConfirmation', exact({ token: Token }))
/** Response that is equal with and without an account. */
export const AcceptedResponse = T.Object({ accepted: T.Literal(true) })
/** Query of a page to which a mailed link leads. */
export const TokenQuery = T.Object({
  token: T.Optional(T.String({ maxLength: 200, description: 'token of the link in the mail' })),
  ui_locales: T.Optional(T.String({ maxLength: 40, description: 'the language of the page' })),
})
