import {
  AdapterError,
  ask,
  type Granted,
  isRow,
  nameIn,
  type Profile,
  present,
  problemOf,
  social,
  text,
  unreadable,
  word,
} from 'serai/social'
import { type Context, credentials, HOST, LABEL, settings } from './fields.ts'

const FIELDS = 'open_id,display_name'

/** Reads the profile. TikTok gives no email address. */
async function profile(context: Context, { accessToken }: Granted): Promise<Profile> {
  if (accessToken === undefined) throw new AdapterError('unavailable', 'TikTok gave no token.')
  const headers = { authorization: `Bearer ${accessToken}` }
  const answer = await ask(context, LABEL, `https://${HOST}/v2/user/info/`, { query: { fields: FIELDS }, headers })
  const { data, error } = isRow(answer.value) ? answer.value : {}
  const code = isRow(error) ? text(error.code) : undefined
  if (answer.status === 401 || code === 'access_token_invalid') throw new AdapterError('refused', 'TikTok does not take this token.')
  if (!answer.ok) throw problemOf(context, LABEL, answer)
  const user = isRow(data) && isRow(data.user) ? data.user : {}
  const subject = word(user.open_id)
  if (subject === undefined) throw unreadable(LABEL, 'no user')
  return { subject, emailVerified: false, ...present({ name: nameIn(user.display_name) }) }
}

export default social({
  slug: 'tiktok',
  label: LABEL,
  website: 'https://developers.tiktok.com/doc/login-kit-web',
  net: ['www.tiktok.com', HOST],
  credentials,
  settings,
  rateWindows: [],
  authorizeUrl: 'https://www.tiktok.com/v2/auth/authorize',
  tokenUrl: `https://${HOST}/v2/oauth/token/`,
  clientIdName: 'client_key',
  scopes: ['user.info.basic'],
  scopeSeparator: ',',
  pkce: 'S256',
  profile,
})
