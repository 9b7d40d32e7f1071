import { AdapterError, emailIn, type Granted, nameIn, type Profile, present, sharedSettings, social, word, yes } from 'serai/social'

/** Returns the profile, all of which is in the identity token. */
function profile(_: unknown, { claims }: Granted): Profile {
  const subject = word(claims?.sub)
  if (!claims || subject === undefined) throw new AdapterError('unavailable', 'Google gave no identity token.')
  const email = emailIn(claims.email)
  return {
    subject,
    emailVerified: email !== undefined && yes(claims.email_verified),
    ...present({ email, name: nameIn(claims.name) }),
  }
}

export default social({
  slug: 'google',
  label: 'Google',
  website: 'https://developers.google.com/identity',
  net: ['accounts.google.com', 'oauth2.googleapis.com', 'www.googleapis.com'],
  credentials: {
    clientId: { label: 'Client ID', help: 'Of the client of the type "Web application" in Google Cloud: ….apps.googleusercontent.com' },
    clientSecret: { label: 'Client secret', secret: true },
  },
  settings: sharedSettings,
  rateWindows: [],
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  scopes: ['openid', 'email', 'profile'],
  pkce: 'S256',
  identityToken: {
    keysUrl: 'https://www.googleapis.com/oauth2/v3/certs',
    issuers: ['https://accounts.google.com', 'accounts.google.com'],
    algorithms: ['RS256'],
  },
  profile,
})
