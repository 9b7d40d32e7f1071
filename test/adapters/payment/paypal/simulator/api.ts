import type { Call } from '../../../../support/simulator/simulator.ts'
import { type Books, type CaptureStatus, Issue, type Json, type RefundStatus, shownCapture, shownOrder, shownRefund } from './books.ts'

export interface Habits {
  /** What becomes of what is captured; `refused`: the payer's bank says no, and nothing is captured. */
  captureStatus: CaptureStatus | 'refused'
  refundStatus: RefundStatus
  /** Older orders lead to the payer's page by another name. */
  payerRel: 'payer-action' | 'approve'
  /** The ids of requests are forgotten after hours. */
  forgetsIds: boolean
  tokenSeconds: number
  /** The calls that are sent on to somewhere else, as a pattern over `METHOD /path`. */
  redirects: string | undefined
}

export interface Tokens {
  readonly issue: () => string
  readonly isGood: (token: string) => boolean
}

interface Api {
  readonly books: Books
  readonly credentials: { readonly clientId: string; readonly clientSecret: string }
  readonly tokens: Tokens
  readonly habits: Habits
  /** Whether this very body of a question holds an event that PayPal signed. */
  readonly isSigned: (question: string) => boolean
}

const failed = (status: number, name: string, message: string, more: Json = {}) =>
  Response.json({ name, message, debug_id: 'f00d', ...more }, { status })

const names: Readonly<Record<number, string>> = { 400: 'INVALID_REQUEST', 404: 'RESOURCE_NOT_FOUND', 422: 'UNPROCESSABLE_ENTITY' }

/** The API of one app: a token first, then JSON, and under one id the same thing as it is by now. */
export function createApi({ books, credentials, tokens, habits, isSigned }: Api) {
  const done = new Map<string, () => Json>()

  return function answer(call: Call): Response {
    if (habits.redirects !== undefined && new RegExp(habits.redirects).test(`${call.method} ${call.path}`))
      return new Response(null, { status: 302, headers: { location: '/elsewhere' } })
    if (call.path === '/v1/oauth2/token') return granted(call)
    const token = /^Bearer (.+)$/.exec(call.headers.get('authorization') ?? '')?.[1]
    if (token === undefined || !tokens.isGood(token))
      return Response.json({ error: 'invalid_token', error_description: 'Token signature verification failed' }, { status: 401 })
    try {
      return call.method === 'POST' ? posted(call) : Response.json(got(call.path))
    } catch (error) {
      if (!(error instanceof Issue)) throw error
      const { status, issue, message } = error
      return failed(status, names[status] ?? 'ERROR', 'The requested action could not be performed.', {
        details: [{ issue, description: message }],
      })
    }
  }

  function granted({ headers, body }: Call): Response {
    const { clientId, clientSecret } = credentials
    if (headers.get('authorization') !== `Basic ${btoa(`${clientId}:${clientSecret}`)}`)
      return Response.json({ error: 'invalid_client', error_description: 'Client Authentication failed' }, { status: 401 })
    if (body !== 'grant_type=client_credentials')
      return Response.json({ error: 'unsupported_grant_type', error_description: 'Grant Type is NULL' }, { status: 400 })
    return Response.json({ access_token: tokens.issue(), token_type: 'Bearer', expires_in: habits.tokenSeconds })
  }

  function posted(call: Call): Response {
    if (!/\bjson\b/.test(call.headers.get('content-type') ?? '')) return failed(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send JSON.')
    const asked = jsonIn(call.body)
    if (!asked) return failed(400, 'INVALID_REQUEST', 'Request is not well-formed.')
    if (call.path === '/v1/notifications/verify-webhook-signature')
      return Response.json({ verification_status: isSigned(call.body) ? 'SUCCESS' : 'FAILURE' })
    const id = call.headers.get('paypal-request-id')
    if (id === null && asked.payment_source !== undefined)
      return failed(400, 'INVALID_REQUEST', 'A PayPal-Request-Id is required with payment_source.')
    const key = `${call.path} ${id}`
    const show = (id === null || habits.forgetsIds ? undefined : done.get(key)) ?? doing(call.path, asked)
    if (id !== null) done.set(key, show)
    return Response.json(show(), { status: 201 })
  }

  function doing(path: string, asked: Json): () => Json {
    if (path === '/v2/checkout/orders') {
      const { payerRel } = habits
      const order = books.create(asked)
      return () => shownOrder(order, payerRel)
    }
    const [, id, act] = /^\/v2\/(?:checkout\/orders|payments\/captures)\/([^/]+)\/(capture|refund)$/.exec(path) ?? []
    if (id === undefined) throw new Issue('INVALID_RESOURCE_ID', 'There is no such thing.', 404)
    if (act === 'refund') {
      const { capture, refund } = books.refund(decodeURIComponent(id), asked, habits.refundStatus)
      return () => shownRefund(capture, refund)
    }
    if (habits.captureStatus === 'refused') throw new Issue('INSTRUMENT_DECLINED', 'The instrument presented was declined by the bank.')
    const order = books.capture(decodeURIComponent(id), habits.captureStatus)
    return () => shownOrder(order)
  }

  function got(path: string): Json {
    const [, thing, id = ''] = /^\/v2\/(checkout\/orders|payments\/captures)\/([^/]+)$/.exec(path) ?? []
    if (thing === 'checkout/orders') return shownOrder(books.get(decodeURIComponent(id)))
    const { order, capture } = books.captured(decodeURIComponent(id))
    return shownCapture(order, capture)
  }
}

function jsonIn(body: string): Json | undefined {
  try {
    return JSON.parse(body) as Json
  } catch {
    return undefined
  }
}
