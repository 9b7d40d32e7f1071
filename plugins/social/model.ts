import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Printed, Written } from '../schema.ts'

/** Who somebody is at a provider. */
export const Profile = exact({
  /** What the provider calls the person by, the same for ever; an e-mail address is no such thing. */
  subject: T.String({ minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' }),
  email: Maybe(T.String({ pattern: '^[^@\\s\\u0000]{1,64}@[^@\\s\\u0000]{1,189}$' })),
  /** Whether the provider says that the address is the person's. Where it says nothing, it is not. */
  emailVerified: T.Boolean(),
  name: Maybe(Printed(120, 1)),
})
export type Profile = Static<typeof Profile>

/** What the host got of somebody who signed in at the provider. */
export const Granted = exact({
  accessToken: Maybe(T.String({ maxLength: 8_192 })),
  /** Of an identity token whose signature, issuer, audience and time were right. */
  claims: Maybe(T.Record(T.String(), T.Unknown())),
  /** The parameter `user` beside the code, as it came: signed by nobody. */
  user: Maybe(Written(4_000)),
})
export type Granted = Static<typeof Granted>

/** A token that an app was given, which is no identity token. */
export const AppToken = T.String({ minLength: 1, maxLength: 8_192 })
