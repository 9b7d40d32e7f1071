import {
  AdapterError,
  ask,
  emailIn,
  hmacSha256,
  isRow,
  nameIn,
  number,
  type Profile,
  present,
  problemOf,
  type Query,
  type Row,
  toHex,
  unreadable,
  word,
  yes,
} from 'serai/social'
import type { Context } from './fields.ts'

export const LABEL = 'Facebook'
export const GRAPH = 'graph.facebook.com'

/** Makes one GET call. Status 400 and 401 mean an invalid token. */
async function read(context: Context, path: string, query: Query): Promise<Row> {
  const answer = await ask(context, LABEL, `https://${GRAPH}/${context.settings.apiVersion}/${path}`, { query })
  if (answer.status === 400 || answer.status === 401 || answer.status === 403)
    throw new AdapterError('refused', 'Facebook does not take this token.', { code: String(answer.status) })
  if (!answer.ok) throw problemOf(context, LABEL, answer)
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  return answer.value
}

/** Reads the profile of a token's user. Facebook does not say whether the email is verified. */
export async function profileOf(context: Context, accessToken: string): Promise<Profile> {
  const proof = toHex(await hmacSha256(context.credentials.clientSecret, accessToken))
  const me = await read(context, 'me', { fields: 'id,name,email', access_token: accessToken, appsecret_proof: proof })
  const subject = word(me.id)
  if (subject === undefined) throw unreadable(LABEL, 'no user')
  return { subject, emailVerified: false, ...present({ email: emailIn(me.email), name: nameIn(me.name) }) }
}

/** Verifies that a token was issued to our app. Another app's developer holds tokens of all its users, so those prove nothing. */
export async function verifyToken(context: Context, token: string): Promise<Profile> {
  const { clientId, clientSecret } = context.credentials
  const { data } = await read(context, 'debug_token', { input_token: token, access_token: `${clientId}|${clientSecret}` })
  if (!isRow(data)) throw unreadable(LABEL, 'nothing of the token')
  const ends = number(data.expires_at) ?? 0
  if (!yes(data.is_valid) || word(data.app_id) !== clientId || (ends > 0 && ends * 1000 <= context.now()))
    throw new AdapterError('refused', 'This token is over, or was given to another app.')
  return profileOf(context, token)
}
