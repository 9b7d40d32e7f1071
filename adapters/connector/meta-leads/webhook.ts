import {
  type ChallengeAnswer,
  createShopReceiver,
  hexBytes,
  type InboundRequest,
  isHmacSha256,
  isRow,
  isSameSecret,
  jsonIn,
  rows,
  type ShopEvent,
  text,
} from 'serai/connector'
import type { Context } from './fields.ts'

export const webhook = { challenges: true, receive: createShopReceiver({ challenge, verify, parse }) } as const

/** Answers Meta's verification request: returns its challenge when the verify token is right. */
function challenge({ method, url }: InboundRequest, { credentials }: Context): ChallengeAnswer | null {
  const { searchParams: query } = new URL(url, 'https://here.invalid')
  const asked = query.get('hub.challenge') ?? ''
  if (method !== 'GET' || query.get('hub.mode') !== 'subscribe' || !/^[\w.-]{1,200}$/.test(asked)) return null
  if (!isSameSecret(credentials.verifyToken || undefined, query.get('hub.verify_token'))) return null
  return { status: 200, contentType: 'text/plain', body: asked }
}

async function verify({ method, headers, body }: InboundRequest, { credentials }: Context): Promise<boolean> {
  const [, proof = ''] = /^sha256=([0-9a-f]{64})$/.exec(headers['x-hub-signature-256'] ?? '') ?? []
  const secret = credentials.clientSecret ?? ''
  return method === 'POST' && secret !== '' && proof !== '' && isHmacSha256(secret, body, hexBytes(proof))
}

/** Parses a callback, which may name several pages; leads of other pages are ignored. */
function parse({ body }: InboundRequest, { settings }: Context): ShopEvent[] {
  const said = jsonIn(new TextDecoder().decode(body))
  const entries = isRow(said) && said.object === 'page' ? rows(said.entry) : []
  const ours = entries.filter(({ id }) => text(id) !== undefined && id === settings.pageId)
  const ids = ours.flatMap(({ changes }) =>
    rows(changes).flatMap(({ field, value }) => (field === 'leadgen' && isRow(value) ? (text(value.leadgen_id) ?? []) : [])),
  )
  return [...new Set(ids)].filter((id) => /^\d{1,40}$/.test(id)).map((changed) => ({ changed }))
}
