import type { FetchInit, OAuth } from '../../../../plugins/adapter.ts'
import type { Context } from '../../../context.ts'
import { OutboundError } from '../../../lib/net/outbound-error.ts'
import { redactorOf, toStorableText } from '../../../lib/redact.ts'
import { AdapterFailure } from '../../egress/adapter-failure.ts'
import { createEgressClient, type EgressClient } from '../../egress/egress-client.ts'
import type { Exchange } from '../../egress/traces.model.ts'
import { hostsOf } from '../calls/hosts.ts'
import type { Connection } from '../connection.ts'
import type { OAuthClient } from './oauth-client.ts'
import type { IssuedTokens } from './tokens.ts'

/** Longest duration of a token request, in milliseconds. It is shorter than the lease of a renewal. */
export const TOKEN_REQUEST_MS = 10_000
const ANSWER_MAX = 256 * 1024
const MESSAGE_MAX = 300

/** Token request, with parameters under their standard names. */
export interface TokenRequest {
  readonly operation: 'oauth.code' | 'oauth.exchange' | 'oauth.renew' | 'oauth.revoke'
  readonly url: string
  readonly parameters: Readonly<Record<string, string>>
  /** Values to remove from traces and messages. */
  readonly secrets: readonly string[]
}

/**
 * Requests tokens. Throws `unauthorized` if the provider rejects the grant permanently, else `unavailable`, after which a retry may
 * succeed.
 */
export function requestTokens(
  context: Context,
  connection: Connection,
  client: OAuthClient,
  question: TokenRequest,
): Promise<IssuedTokens> {
  return sendTokenRequest(context, connection, client, question, async (response, began) => {
    const body = await bodyOf(response)
    const tokens = response.ok ? tokensIn(client.oauth, body, began) : undefined
    if (tokens) return tokens
    throw failureIn(connection, client, response, body)
  })
}

/** Revokes a token at the provider. Throws `AdapterFailure`. */
export const revokeToken = (context: Context, connection: Connection, client: OAuthClient, url: string, token: string): Promise<void> =>
  sendTokenRequest(
    context,
    connection,
    client,
    { operation: 'oauth.revoke', url, parameters: { token }, secrets: [token] },
    async ({ ok, status }) => {
      if (!ok) throw new AdapterFailure('unavailable', `It answered ${status}.`, { wasSent: true })
    },
  )

/** Sends a request through egress. Traces it without the bodies that hold tokens. */
async function sendTokenRequest<V>(
  context: Context,
  connection: Connection,
  client: OAuthClient,
  { operation, url, parameters, secrets }: TokenRequest,
  read: (response: Response, began: number) => Promise<V>,
): Promise<V> {
  const { row, mounted } = connection
  const { label } = mounted.adapter
  const redact = redactorOf([...secrets, ...(client.secret ? [client.secret] : [])])
  const traveller = { projectId: row.projectId, connectionId: row.id, label, hosts: hostsOf(context, connection), windows: [], redact }
  const out = createEgressClient(context, traveller, AbortSignal.timeout(TOKEN_REQUEST_MS))
  const began = Date.now()
  const trace = (outcome: string, message: string | null) =>
    context.egress.traceWriter.record({
      projectId: row.projectId,
      connectionId: row.id,
      parcelIds: [],
      at: new Date(began).toISOString(),
      ms: Date.now() - began,
      operation,
      outcome,
      message,
      exchanges: withoutTokens(out),
    })
  try {
    const answer = await read(await out.fetch(...requestOf(client, url, parameters)), began)
    trace('ok', null)
    return answer
  } catch (error) {
    const failure = failureOf(error, label, redact)
    trace(failure.reason, failure.message)
    throw failure
  }
}

const withoutTokens = ({ exchanges }: EgressClient): Exchange[] =>
  exchanges.map((exchange) => ({ ...exchange, request: null, response: (exchange.status ?? 0) < 400 ? null : exchange.response }))

function failureOf(error: unknown, label: string, redact: (text: string) => string): AdapterFailure {
  if (error instanceof AdapterFailure) {
    const { retryAfterSeconds } = error.upstream
    const message = toStorableText(redact(error.message), MESSAGE_MAX * 2)
    return new AdapterFailure(error.reason, message, {
      wasSent: error.wasSent,
      upstream: retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
    })
  }
  const sent = !(error instanceof OutboundError) || error.wasSent
  return new AdapterFailure('unavailable', `${label} did not answer when it was asked for a token.`, { wasSent: sent, cause: error })
}

/** Builds the request in the format and with the parameter names of the provider. */
function requestOf({ oauth, id, secret }: OAuthClient, url: string, parameters: Readonly<Record<string, string>>): [string, FetchInit] {
  const { names = {}, clientAuth = 'body', asks: encoding = 'form' } = oauth
  const { code, ...rest } = parameters
  const inBody = clientAuth === 'body' || secret === undefined
  const fields: Record<string, string> = {
    ...oauth.parameters?.token,
    ...rest,
    ...(code !== undefined && { [names.code ?? 'code']: code }),
    ...(inBody && { [names.clientId ?? 'client_id']: id }),
    ...(inBody && secret !== undefined && { [names.clientSecret ?? 'client_secret']: secret }),
  }
  const headers = { accept: 'application/json', ...(!inBody && { authorization: basicOf(id, secret) }) }
  if (encoding === 'query') {
    const asked = new URL(url)
    for (const [name, value] of Object.entries(fields)) asked.searchParams.set(name, value)
    return [asked.href, { headers }]
  }
  const type = encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'
  const body = encoding === 'json' ? JSON.stringify(fields) : new URLSearchParams(fields).toString()
  return [url, { method: 'POST', headers: { ...headers, 'content-type': type }, body, timeoutMs: TOKEN_REQUEST_MS }]
}

/** Builds the Basic credentials of RFC 6749, section 2.3.1: each half form-encoded, then both in base64. */
function basicOf(id: string, secret: string): string {
  const [left, right] = [id, secret].map((half) => new URLSearchParams([['', half]]).toString().slice(1))
  return `Basic ${Buffer.from(`${left}:${right}`).toString('base64')}`
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text.length > ANSWER_MAX) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const partOf = (body: unknown, place: string): unknown =>
  place
    .split('.')
    .reduce<unknown>((part, name) => (Object.hasOwn(Object(part), name) ? (part as Record<string, unknown>)[name] : undefined), body)

/** Returns the text or number at a place in the body; empty if there is none. */
function textAt(body: unknown, place: string): string {
  const part = partOf(body, place)
  return typeof part === 'string' || typeof part === 'number' ? String(part) : ''
}

function tokensIn({ answer = {}, fills = {} }: OAuth, body: unknown, began: number): IssuedTokens | undefined {
  const accessToken = textAt(body, answer.accessToken ?? 'access_token')
  if (accessToken === '') return undefined
  const filled = Object.entries(fills).map(([name, place]) => [name, textAt(body, place)] as const)
  return {
    accessToken,
    refreshToken: textAt(body, answer.refreshToken ?? 'refresh_token') || null,
    filled: Object.fromEntries(filled.filter(([, value]) => value !== '')),
    expiresInMs: lifetimeOf(answer, body, began),
  }
}

/**
 * Returns the lifetime from now in milliseconds, counted from when the request was sent, since the answer may have been delayed. Null if
 * unknown.
 */
function lifetimeOf({ expiresIn = 'expires_in', expiresAt }: NonNullable<OAuth['answer']>, body: unknown, began: number): number | null {
  const seconds = Number(textAt(body, expiresIn))
  const moment = expiresAt === undefined ? 0 : Number(textAt(body, expiresAt)) * 1000
  const ends = moment > 0 ? moment : seconds > 0 ? began + seconds * 1000 : Number.NaN
  return Number.isFinite(ends) ? Math.max(0, ends - Date.now()) : null
}

/** Statuses of a rejection (RFC 6749, section 5.2), unless the error code is one of those below. */
const REJECTION_STATUSES = [400, 401]
const TEMPORARY_ERRORS = ['temporarily_unavailable', 'server_error', 'slow_down']
const CLIENT_ERRORS = ['invalid_client', 'unauthorized_client']

function failureIn({ mounted }: Connection, client: OAuthClient, { status, headers }: Response, body: unknown): AdapterFailure {
  const { answer = {}, refusals = [] } = client.oauth
  const { label } = mounted.adapter
  const word = textAt(body, answer.error ?? 'error')
  const description = textAt(body, 'error_description')
  const isRejection =
    word === 'invalid_grant' || refusals.includes(word) || (REJECTION_STATUSES.includes(status) && !TEMPORARY_ERRORS.includes(word))
  // The platform's client is not the store's to correct.
  const isPlatformFault = client.isPlatformClient && CLIENT_ERRORS.includes(word)
  const words = [toStorableText(description, MESSAGE_MAX), word && `(${toStorableText(word, 100)})`].filter(Boolean).join(' ')
  if (isRejection && !isPlatformFault)
    return new AdapterFailure('unauthorized', `${label} rejected the sign-in${words && `: ${words}`}.`, { wasSent: true })
  const seconds = Number(headers.get('retry-after'))
  const upstream = seconds > 0 ? { retryAfterSeconds: seconds } : {}
  return new AdapterFailure('unavailable', `${label} gave no token: it answered ${status}${words && `, ${words}`}.`, {
    wasSent: true,
    upstream,
  })
}
