import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, PrintableText, StorableText } from '../schema.ts'

/** Identity of a user at a provider. */
export const Profile = exact({
  /** The provider's permanent id of the user. An email address is not one. */
  subject: T.String({ minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' }),
  email: Maybe(T.String({ pattern: '^[^@\\s\\u0000]{1,64}@[^@\\s\\u0000]{1,189}$' })),
  /** True if the provider states that the address belongs to the user; false if it says nothing. */
  emailVerified: T.Boolean(),
  name: Maybe(PrintableText(120, 1)),
})
/** Type of {@link Profile}. */
export type Profile = Static<typeof Profile>

/** Result of a sign-in at the provider, as the host received it. */
export const Granted = exact({
  accessToken: Maybe(T.String({ maxLength: 8_192 })),
  /** Claims of a verified identity token: signature, issuer, audience and time are valid. */
  claims: Maybe(T.Record(T.String(), T.Unknown())),
  /** Parameter `user` sent along with the code. It is not signed. */
  user: Maybe(StorableText(4_000)),
})
/** Type of {@link Granted}. */
export type Granted = Static<typeof Granted>

/** Access token of an app, as opposed to an identity token. */
export const AppToken = T.String({ minLength: 1, maxLength: 8_192 })
