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

/** One reading. A 400 and a 401 are about the token that it was asked with. */
async function read(context: Context, path: string, query: Query): Promise<Row> {
  const answer = await ask(context, LABEL, `https://${GRAPH}/${context.settings.apiVersion}/${path}`, { query })
  if (answer.status === 400 || answer.status === 401 || answer.status === 403)
    throw new AdapterError('refused', 'Facebook does not take this token.', { code: String(answer.status) })
  if (!answer.ok) throw problemOf(context, LABEL, answer)
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  return answer.value
}

/** Whom a token is of. Facebook does not say whether it ever checked the address. */
export async function profileOf(context: Context, accessToken: string): Promise<Profile> {
  const proof = toHex(await hmacSha256(context.credentials.clientSecret, accessToken))
  const me = await read(context, 'me', { fields: 'id,name,email', access_token: accessToken, appsecret_proof: proof })
  const subject = word(me.id)
  if (subject === undefined) throw unreadable(LABEL, 'nobody')
  return { subject, emailVerified: false, ...present({ email: emailIn(me.email), name: nameIn(me.name) }) }
}

/** A token that some other app was given says nothing: whoever made that app has the tokens of all who use it. */
export async function verifyToken(context: Context, token: string): Promise<Profile> {
  const { clientId, clientSecret } = context.credentials
  const { data } = await read(context, 'debug_token', { input_token: token, access_token: `${clientId}|${clientSecret}` })
  if (!isRow(data)) throw unreadable(LABEL, 'nothing of the token')
  const ends = number(data.expires_at) ?? 0
  if (!yes(data.is_valid) || word(data.app_id) !== clientId || (ends > 0 && ends * 1000 <= context.now()))
    throw new AdapterError('refused', 'This token is over, or was given to another app.')
  return profileOf(context, token)
}
