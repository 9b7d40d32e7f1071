import { createHmac } from 'node:crypto'
import { type Call, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { account, openBook, type SimulatedAd, type SimulatedDay } from '../book.ts'

export const client = { clientId: '123456789012345', clientSecret: 'meta-simulated-secret' }
/** Of another account of the same person. */
export const foreignAd = { id: '4999', name: 'Of others', setId: '3999', campaignId: '2999', url: 'https://others.example/' }
const foreignSet = { id: foreignAd.setId, name: 'Elsewhere', campaignId: foreignAd.campaignId }
export const accountId = `act_${account.number}`
const VERSION = '/v26.0/'
const WEEK_SECONDS = 7 * 86_400

const graphError = (message: string, code: number, extra: object = {}, status = 400) =>
  Response.json({ error: { message, type: 'OAuthException', code, fbtrace_id: 'x', ...extra } }, { status })
const minor = (major: string) => String(Math.round(Number(major) * 100))
const statuses = { active: 'ACTIVE', paused: 'PAUSED', ended: 'ARCHIVED', unknown: 'ODD' } as const

interface Told {
  readonly event_name?: string
  readonly event_time?: number
  readonly event_id?: string
  readonly action_source?: string
  readonly event_source_url?: string
  readonly user_data?: Readonly<Record<string, string | readonly string[]>>
  readonly custom_data?: {
    readonly value?: number
    readonly currency?: string
    readonly order_id?: string
    readonly contents?: readonly { readonly id: string; readonly quantity: number; readonly item_price?: number }[]
  }
}

/** Meta's side: budgets in cents and spend in dollars, all numbers as text, one purchase under three names, and one bad event spoils a request. */
export function startMeta(options: SimulatorOptions = {}) {
  const book = openBook()
  const codes = new Map<string, string>()
  const short = new Set<string>()
  /** `tooMuch`: insights are told in reports alone. `states`: what each look at one finds, the last of them from then on. */
  const habits = { tooMuch: false, states: ['Job Completed'] }
  const reports = new Map<string, { readonly asked: URLSearchParams; looks: number }>()

  function answer(call: Call): Response {
    const { path, method, query, body } = call
    if (!path.startsWith(VERSION)) return graphError('This version of the API is over.', 2635)
    const name = path.slice(VERSION.length)
    if (name === 'dialog/oauth') return authorize(query)
    if (name === 'oauth/access_token') return token(query)
    const { refusing } = book
    if (refusing?.fault === 'forbidden' && new RegExp(refusing.calls).test(`${method} ${path}`))
      return graphError('(#200) You do not have sufficient permissions to send events to this pixel', 200, {}, 403)
    if (refusing && new RegExp(refusing.calls).test(`${method} ${path}`))
      return refusing.fault === 'unauthorized'
        ? graphError('Error validating access token.', 190, { error_subcode: 463 })
        : graphError('User request limit reached', 17)
    const given = call.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    if (!book.tokens.has(given)) return graphError('Error validating access token.', 190, { error_subcode: 460 })
    if (query.get('appsecret_proof') !== createHmac('sha256', client.clientSecret).update(given).digest('hex'))
      return graphError('Invalid appsecret_proof provided in the API argument', 100)
    if (method === 'POST') return name === `${accountId}/insights` ? report(body) : told(name, body)
    return read(name, query)
  }

  function authorize(query: URLSearchParams): Response {
    const url = new URL(query.get('redirect_uri') ?? '')
    const code = `code-${codes.size}-${Math.random().toString(36).slice(2)}`
    codes.set(code, url.href)
    url.searchParams.set('code', code)
    url.searchParams.set('state', query.get('state') ?? '')
    return new Response(null, { status: 302, headers: { location: `${url.href}#_=_` } })
  }

  function token(query: URLSearchParams): Response {
    if (query.get('client_id') !== client.clientId || query.get('client_secret') !== client.clientSecret)
      return graphError('Error validating client secret.', 1)
    const made = `token-${Math.random().toString(36).slice(2)}`
    if (query.get('grant_type') === 'fb_exchange_token') {
      if (!short.delete(query.get('fb_exchange_token') ?? '')) return graphError('Error validating access token.', 190)
      book.tokens.add(made)
      return Response.json({ access_token: made, token_type: 'bearer', expires_in: 5_183_999 })
    }
    const code = query.get('code') ?? ''
    if (codes.get(code) !== query.get('redirect_uri') || !codes.delete(code))
      return graphError('This authorization code has been used.', 100)
    short.add(made)
    return Response.json({ access_token: made, token_type: 'bearer', expires_in: 5_000 })
  }

  function read(name: string, query: URLSearchParams): Response {
    const [id = '', edge] = name.split('/')
    if (name === 'me') return Response.json({ id: '77', name: 'Someone' })
    if (name === 'me/adaccounts') return paged([accountNow()], query)
    if (id === accountId && edge === undefined) return Response.json(accountNow())
    const within = (one: { readonly campaignId: string; readonly setId?: string }) =>
      id === accountId ? one.campaignId !== foreignAd.campaignId : one.campaignId === id || one.setId === id
    if (edge === 'campaigns' && id === accountId) return paged(book.campaigns.map(campaignNow), query)
    if (edge === 'adsets') return paged([...book.sets, foreignSet].filter(within).map(setNow), query)
    if (edge === 'ads') return paged([...book.ads, foreignAd].filter(within).map(adNow), query)
    if (edge === 'adspixels') return paged([{ id: book.pixelId, name: 'Pixel', last_fired_time: '2026-11-01T10:00:00+0000' }], query)
    if (edge === 'insights' && id === accountId)
      return habits.tooMuch
        ? graphError("Please reduce the amount of data you're asking for, then retry your request", 1, {}, 500)
        : insights(query)
    const report = reports.get(id)
    if (report) return edge === 'insights' ? insights(query, report.asked) : lookAt(id, report)
    if (id === foreignAd.id) return Response.json(adNow(foreignAd))
    const ad = edge === undefined && book.ads.find((one) => one.id === id)
    return ad ? Response.json(adNow(ad)) : graphError(`Object with ID '${id}' does not exist`, 100, { error_subcode: 33 })
  }

  const accountNow = () => ({
    id: accountId,
    account_id: account.number,
    name: account.name,
    currency: account.currency,
    timezone_name: account.timeZone,
    account_status: 1,
  })
  const campaignNow = ({ id, name, state, dailyBudget }: (typeof book.campaigns)[number]) => ({
    id,
    name,
    effective_status: statuses[state],
    objective: 'OUTCOME_SALES',
    daily_budget: minor(dailyBudget),
    lifetime_budget: '0',
  })
  const accountOf = (campaignId: string) => (campaignId === foreignAd.campaignId ? '999' : account.number)
  const setNow = ({ id, name, campaignId }: (typeof book.sets)[number]) => ({
    id,
    name,
    account_id: accountOf(campaignId),
    campaign_id: campaignId,
    effective_status: 'ACTIVE',
  })
  const adNow = ({ id, name, setId, campaignId, url }: SimulatedAd) => ({
    id,
    name,
    account_id: accountOf(campaignId),
    adset_id: setId,
    campaign_id: campaignId,
    effective_status: 'ACTIVE',
    creative: { id: `9${id}`, object_story_spec: { link_data: { link: url } } },
  })

  function report(body: string): Response {
    const id = String(7_000 + reports.size)
    const asked = Object.entries(JSON.parse(body) as Record<string, string | number>)
    reports.set(id, { asked: new URLSearchParams(asked.map(([name, value]): [string, string] => [name, String(value)])), looks: 0 })
    return Response.json({ report_run_id: id })
  }

  function lookAt(id: string, one: { looks: number }): Response {
    const async_status = habits.states[Math.min(one.looks, habits.states.length - 1)]
    one.looks += 1
    return Response.json({ id, async_status, async_percent_completion: async_status === 'Job Completed' ? 100 : 10 })
  }

  function insights(query: URLSearchParams, asked = query): Response {
    const { since, until } = JSON.parse(asked.get('time_range') ?? '{}') as { since: string; until: string }
    if (asked.get('level') !== 'ad' || asked.get('time_increment') !== '1') return graphError('(#100) bad level', 100)
    const rows = book.days.filter(({ day }) => day >= since && day <= until)
    return paged(rows.map(insightNow), query, Math.min(2, Number(query.get('limit'))))
  }

  const insightNow = ({ day, ad, spend, impressions, clicks, purchases, leads }: SimulatedDay) => ({
    campaign_id: ad.campaignId,
    campaign_name: book.campaigns.find(({ id }) => id === ad.campaignId)?.name,
    adset_id: ad.setId,
    ad_id: ad.id,
    ad_name: ad.name,
    spend,
    impressions: String(impressions),
    clicks: String(clicks),
    date_start: day,
    date_stop: day,
    ...(purchases + leads > 0 && { actions: actionsOf(purchases, leads) }),
  })
  const actionsOf = (purchases: number, leads: number) => [
    { action_type: 'link_click', value: '9' },
    ...['offsite_conversion.fb_pixel_purchase', 'purchase', 'omni_purchase'].map((action_type) => ({
      action_type,
      value: String(purchases),
    })),
    ...['onsite_conversion.lead_grouped', 'lead'].map((action_type) => ({ action_type, value: String(leads) })),
  ]

  function paged(rows: readonly object[], query: URLSearchParams, limit = Number(query.get('limit') ?? 25)): Response {
    const from = Number(query.get('after')?.replace('at', '') ?? 0)
    const data = rows.slice(from, from + limit)
    const after = `at${from + data.length}`
    const next = from + data.length < rows.length && { next: `https://graph.facebook.com/next?after=${after}` }
    return Response.json({ data, paging: { cursors: { before: `at${from}`, after }, ...next } })
  }

  function told(name: string, body: string): Response {
    if (name !== `${book.pixelId}/events`) return graphError('Unsupported post request.', 100, { error_subcode: 33 })
    const { data = [], test_event_code: testCode = null } = JSON.parse(body) as { data?: Told[]; test_event_code?: string }
    if (data.length === 0 || data.length > 1000) return graphError('(#100) 1 to 1000 events', 100)
    const bad = data.findIndex((one) => problemOf(one) !== undefined)
    if (bad >= 0)
      return graphError('Invalid parameter', 100, {
        error_subcode: 2804003,
        error_user_title: 'Event Timestamp Too Old',
        error_user_msg: `data[${bad}]: ${problemOf(data[bad] ?? {})}`,
      })
    book.requests += 1
    const digest = (value: string | readonly string[] | undefined) => (Array.isArray(value) ? String(value[0]) : null)
    const plain = (value: string | readonly string[] | undefined) => (typeof value === 'string' ? value : null)
    for (const { event_id, event_name, event_time, user_data = {}, custom_data = {} } of data) {
      // fb.1.<milliseconds>.<click>
      const [, , clickedAt, ...click] = plain(user_data.fbc)?.split('.') ?? []
      book.events.push({
        id: event_id ?? '',
        name: event_name ?? '',
        at: event_time ?? 0,
        email: digest(user_data.em),
        phone: digest(user_data.ph),
        externalId: digest(user_data.external_id),
        ip: plain(user_data.client_ip_address),
        userAgent: plain(user_data.client_user_agent),
        value: custom_data.value ?? null,
        currency: custom_data.currency ?? null,
        orderId: custom_data.order_id ?? null,
        contents: (custom_data.contents ?? []).map(({ id, quantity, item_price: price = null }) => ({ id, quantity, price })),
        clickId: click.join('.') || null,
        clickedAt: clickedAt === undefined ? null : Number(clickedAt),
        country: digest(user_data.country),
        testCode,
        request: book.requests,
      })
    }
    return Response.json({ events_received: data.length, messages: [], fbtrace_id: 'x' })
  }

  function problemOf({ event_name, event_time = 0, action_source, event_source_url, user_data = {} }: Told): string | undefined {
    if (!event_name || !action_source) return 'an event has a name and a source'
    if (event_time < Date.now() / 1000 - WEEK_SECONDS) return 'the time is more than 7 days in the past'
    if (action_source === 'website' && !(event_source_url && user_data.client_user_agent))
      return 'a website event says its page and its browser'
    if (Object.keys(user_data).length === 0) return 'nothing says whom it is about'
    const hashed = ['em', 'ph', 'external_id', 'country'].flatMap((name) => user_data[name] ?? [])
    return hashed.every((digest) => /^[0-9a-f]{64}$/.test(digest)) ? undefined : 'what says who somebody is was not hashed'
  }

  const simulator = startSimulator(options, { faultsOn: '/events$', answer })
  return {
    ...simulator,
    book,
    habits,
    calm() {
      simulator.calm()
      Object.assign(habits, { tooMuch: false, states: ['Job Completed'] })
      book.refusing = null
    },
  }
}
export type MetaSimulator = ReturnType<typeof startMeta>
