import { createHmac } from 'node:crypto'
import type { Fault } from '../../../../plugins/connector/acceptance.ts'

export const APP = { clientId: '123456789012345', clientSecret: 'meta-leads-simulated-secret', verifyToken: 'words that were agreed upon' }
export const TOKEN = 'EAAB-long-lived'
export const PAGE = { id: '10987654321098765', name: 'Dar Salma', token: 'EAAB-of-the-page' }
export const FORM = '98765432109876543'
const CODE = 'code-of-the-owner'
const LIMIT = 25

interface Lead {
  readonly id: string
  readonly formId: string
  readonly created: number
  readonly answers: Readonly<Record<string, string>>
}

const no = (code: number, message: string, status = 400) =>
  Response.json({ error: { message, type: 'OAuthException', code, fbtrace_id: 'x' } }, { status })
const at = (ms: number) => new Date(ms).toISOString().replace('.000Z', '+0000')

/** Meta's side of lead forms: names beyond what a number holds, tokens of pages, pages of lists, letters that are signed as they are escaped. */
export function startMetaLeads() {
  const leads = new Map<string, Lead>()
  const apps = new Map<string, string[]>()
  const requests: { at: number; method: string; path: string; query: string; headers: Record<string, string>; body: string }[] = []
  const expired = new Set<string>()
  const state = { forbidden: false, dead: false, listed: 0 }
  let clock = Math.floor(Date.now() / 1000) * 1000 - 3_600_000
  let last = 12_345_678_901_234_567n
  let fault: Fault | null = null

  const answer = (formId = FORM, answers: Lead['answers'] = {}): Lead => {
    clock += 1000
    last += 1n
    const usual = {
      full_name: 'لينا Saadi',
      phone_number: '+213550123456',
      city: 'Bab Ezzouar',
      state: 'Alger',
      'quelle_couleur_?': 'Rouge',
    }
    const lead = { id: String(last), formId, created: clock, answers: { ...usual, ...answers } }
    leads.set(lead.id, lead)
    return lead
  }
  const shown = ({ id, formId, created, answers }: Lead) => ({
    id,
    created_time: at(created),
    form_id: formId,
    ad_id: '23850000000000001',
    ad_name: 'Ad one',
    adset_id: '23850000000000002',
    campaign_id: '23850000000000003',
    campaign_name: 'Été',
    platform: 'ig',
    field_data: Object.entries(answers).map(([name, value]) => ({ name, values: [value] })),
  })

  function paged(found: readonly unknown[], query: URLSearchParams, size = LIMIT): Response {
    const from = Number(query.get('after') ?? 0)
    const end = from + Math.min(size, Number(query.get('limit') ?? size))
    const next = end < found.length
    return Response.json({
      data: found.slice(from, end),
      paging: { cursors: { before: String(from), after: String(end) }, ...(next && { next: 'https://graph.facebook.com/next' }) },
    })
  }

  function token(query: URLSearchParams): Response {
    if (query.get('client_id') !== APP.clientId || query.get('client_secret') !== APP.clientSecret)
      return no(101, 'Error validating client secret.')
    if (query.get('grant_type') === 'fb_exchange_token')
      return Response.json({ access_token: TOKEN, token_type: 'bearer', expires_in: 5_184_000 })
    if (query.get('code') !== CODE) return no(100, 'This authorization code has been used.')
    return Response.json({ access_token: 'EAAB-short', token_type: 'bearer', expires_in: 5_000 })
  }

  function graph(method: string, path: string, query: URLSearchParams, bearer: string): Response {
    const proof = createHmac('sha256', APP.clientSecret).update(bearer).digest('hex')
    if (state.dead || ![TOKEN, PAGE.token].includes(bearer)) return no(190, 'Error validating access token: Session has expired.')
    if (query.get('appsecret_proof') !== proof) return no(100, 'Invalid appsecret_proof provided in the API argument')
    if (fault === 'rate_limited') return new Response('{"error":{"message":"x"}}', { status: 429, headers: { 'retry-after': '2' } })
    if (fault === 'error') return new Response('<html>', { status: 500 })
    if (fault === 'mumbled') return Response.json({ ok: 1 })
    if (fault === 'malformed') return new Response('{"data":[{"id', { headers: { 'content-type': 'application/json' } })
    if (path === 'me') return Response.json({ id: '1', name: 'Lina' })
    if (path === 'me/accounts') return accounts(query)
    if (bearer !== PAGE.token) return no(200, '(#200) Requires a page token.')
    if (state.forbidden) return no(10, '(#10) Application does not have permission for this action')
    if (path === `${PAGE.id}/leadgen_forms`) return paged(formList(), query)
    if (path === `${PAGE.id}/subscribed_apps`) return subscribed(method, query)
    const [, formId] = /^(\d+)\/leads$/.exec(path) ?? []
    if (formId !== undefined) return leadsOf(formId, query)
    const lead = leads.get(path)
    return lead && !expired.has(path)
      ? Response.json(shown(lead))
      : no(100, `Unsupported get request. Object with ID '${path}' does not exist`)
  }
  function accounts(query: URLSearchParams): Response {
    const others = Array.from({ length: 30 }, (_, n) => ({ id: `5000${n}`, name: `Page ${n}`, access_token: `EAAB-${n}` }))
    const all = [...others, { id: PAGE.id, name: PAGE.name, access_token: PAGE.token }]
    const isAsked = query.get('fields')?.includes('access_token')
    return paged(
      all.map(({ access_token: secret, ...page }) => ({ ...page, ...(isAsked && { access_token: secret }) })),
      query,
    )
  }
  const formList = () => [
    {
      id: FORM,
      name: 'Panier',
      status: 'ACTIVE',
      leads_count: leads.size,
      questions: [{ key: 'full_name', label: 'Full name', type: 'FULL_NAME' }],
    },
    { id: '77', name: 'Old', status: 'ARCHIVED', leads_count: 0, questions: [] },
  ]
  function subscribed(method: string, query: URLSearchParams): Response {
    if (method === 'POST') apps.set(APP.clientId, (query.get('subscribed_fields') ?? '').split(','))
    if (method === 'DELETE') apps.delete(APP.clientId)
    if (method !== 'GET') return Response.json({ success: true })
    return Response.json({ data: [...apps].map(([id, fields]) => ({ id, name: 'App', subscribed_fields: fields })) })
  }
  function leadsOf(formId: string, query: URLSearchParams): Response {
    state.listed += 1
    const [filter] = JSON.parse(query.get('filtering') ?? '[]') as { field: string; operator: string; value: number }[]
    if (filter && (filter.field !== 'time_created' || filter.operator !== 'GREATER_THAN')) return no(100, 'Invalid filter')
    const found = [...leads.values()].filter((lead) => lead.formId === formId && lead.created / 1000 > (filter?.value ?? 0))
    return paged(found.reverse().map(shown), query)
  }

  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const body = await request.text()
      const { pathname, search, searchParams } = new URL(request.url)
      const headers = Object.fromEntries(request.headers)
      requests.push({ at: Date.now(), method: request.method, path: pathname, query: search.slice(1), headers, body })
      if (pathname === '/v26.0/oauth/access_token') return token(searchParams)
      if (!pathname.startsWith('/v26.0/')) return no(2500, 'Unknown path components')
      return graph(request.method, decodeURIComponent(pathname.slice(7)), searchParams, headers.authorization?.slice(7) ?? '')
    },
  })
  /** As Meta sends it: letters beyond ASCII escaped, and signed as they are sent. */
  const signed = (value: unknown, secret = APP.clientSecret) => {
    const raw = JSON.stringify(value).replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    return {
      raw,
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`,
      },
    }
  }
  const told = (...told: readonly { id: string; formId: string; pageId?: string }[]) => ({
    object: 'page',
    entry: told.map(({ id, formId, pageId = PAGE.id }) => ({
      id: pageId,
      time: 1,
      changes: [
        { field: 'leadgen', value: { leadgen_id: id, page_id: pageId, form_id: formId, created_time: 1 } },
        { field: 'feed', value: { item: 'né' } },
      ],
    })),
  })
  return {
    url: server.url.origin,
    leads,
    apps,
    requests,
    expired,
    state,
    answer,
    signed,
    told,
    fail: (next: Fault) => {
      fault = next
    },
    calm: () => {
      fault = null
    },
    stop: () => server.stop(true),
  }
}
