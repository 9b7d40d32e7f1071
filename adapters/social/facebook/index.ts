import { AdapterError, emailIn, type Granted, nameIn, type Profile, present, social, word } from 'serai/social'
import { type Context, credentials, settings } from './fields.ts'
import { GRAPH, LABEL, profileOf, verifyToken } from './graph.ts'

async function profile(context: Context, { accessToken, claims }: Granted): Promise<Profile> {
  if (claims) return profileIn(claims)
  if (accessToken === undefined) throw new AdapterError('unavailable', 'Facebook gave no token.')
  return profileOf(context, accessToken)
}

/** Returns the profile of a Limited Login. */
function profileIn(claims: NonNullable<Granted['claims']>): Profile {
  const subject = word(claims.sub)
  if (subject === undefined) throw new AdapterError('refused', 'This token names no user.')
  return { subject, emailVerified: false, ...present({ email: emailIn(claims.email), name: nameIn(claims.name) }) }
}

export default social({
  slug: 'facebook',
  label: LABEL,
  website: 'https://developers.facebook.com/docs/facebook-login',
  net: ['www.facebook.com', GRAPH, 'limited.facebook.com'],
  credentials,
  settings,
  rateWindows: [],
  authorizeUrl: 'https://www.facebook.com/{apiVersion}/dialog/oauth',
  tokenUrl: `https://${GRAPH}/{apiVersion}/oauth/access_token`,
  scopes: ['email', 'public_profile'],
  pkce: 'none',
  identityToken: {
    keysUrl: 'https://limited.facebook.com/.well-known/oauth/openid/jwks/',
    issuers: ['https://www.facebook.com'],
    algorithms: ['RS256'],
    setting: 'limitedLogin',
  },
  profile,
  verifyToken,
})
