import {
  AdapterError,
  emailIn,
  type Granted,
  isRow,
  jsonIn,
  nameIn,
  type Profile,
  present,
  sharedSettings,
  social,
  text,
  word,
  yes,
} from 'serai/social'
import { clientSecret } from './client-secret.ts'
import { credentials } from './fields.ts'

/** Returns the profile. The email comes from the identity token alone; the unsigned name, sent at the first sign-in, is a hint. */
function profile(_: unknown, { claims, user }: Granted): Profile {
  const subject = word(claims?.sub)
  if (!claims || subject === undefined) throw new AdapterError('unavailable', 'Apple gave no identity token.')
  const email = emailIn(claims.email)
  return { subject, emailVerified: email !== undefined && yes(claims.email_verified), ...present({ email, name: nameHint(user) }) }
}

function nameHint(user: string | undefined): string | undefined {
  const said = jsonIn(user ?? '')
  const name = isRow(said) && isRow(said.name) ? said.name : {}
  return nameIn([text(name.firstName), text(name.lastName)].filter(Boolean).join(' '))
}

export default social({
  slug: 'apple',
  label: 'Apple',
  website: 'https://developer.apple.com/sign-in-with-apple/',
  net: ['appleid.apple.com'],
  credentials,
  settings: sharedSettings,
  rateWindows: [],
  authorizeUrl: 'https://appleid.apple.com/auth/authorize',
  tokenUrl: 'https://appleid.apple.com/auth/token',
  revokeUrl: 'https://appleid.apple.com/auth/revoke',
  scopes: ['name', 'email'],
  responseMode: 'form_post',
  pkce: 'none',
  identityToken: {
    keysUrl: 'https://appleid.apple.com/auth/keys',
    issuers: ['https://appleid.apple.com'],
    algorithms: ['RS256', 'ES256'],
  },
  async testConnection(context) {
    await clientSecret(context)
    return { account: `team ${context.credentials.teamId}` }
  },
  profile,
  clientSecret,
})
