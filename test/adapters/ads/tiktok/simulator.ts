import { type Call, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { account, openBook, type SimulatedAd, type SimulatedDay } from '../book.ts'

export const client = { clientId: '7000000000001', clientSecret: 'tiktok-simulated-secret' }
export const accountId = account.number
const BASE = '/open_api/v1.3/'
const WEEK_SECONDS = 7 * 86_400

const said = (code: number, message: string, data: object = {}) => Response.json({ code, message, request_id: 'x', data })
const fine = (data: object) => said(0, 'OK', data)
const statuses = { active: 'ENABLE', paused: 'DISABLE', ended: 'DELETE', unknown: 'ODD' } as const

interface Told {
  readonly event?: string
  readonly event_time?: number
  readonly event_id?: string
  readonly user?: Readonly<Record<string, string>>
  readonly properties?: {
    readonly value?: number
    readonly currency?: string
    readonly order_id?: string
    readonly contents?: readonly { readonly content_id: string; readonly quantity: number; readonly price?: number }[]
  }
}

/** TikTok's side: everything is answered 200, lists in queries are JSON, pages are numbered, and a missing slash is nothing. */
export function startTikTokAds(options: SimulatorOptions = {}) {
  const book = openBook()
  const codes = new Set<string>()

  function answer(call: Call): Response {
    const { path, method, query, body } = call
    if (path === '/portal/auth') return authorize(query)
    if (!path.startsWith(BASE) || !path.endsWith('/')) return new Response('Not found', { status: 404 })
    const name = path.slice(BASE.length, -1)
    if (name === 'oauth2/access_token') return token(JSON.parse(body))
    const { refusing } = book
    if (refusing && new RegExp(refusing.calls).test(`${method} ${path}`)) {
      if (refusing.fault === 'mumbled') return fine({})
      if (refusing.fault === 'forbidden') return said(40_001, 'You do not have permission to operate this pixel.')
      return refusing.fault === 'unauthorized'
        ? said(40_105, 'Access token is incorrect or has been revoked.')
        : said(40_100, 'Too many requests.')
    }
    if (!book.tokens.has(call.headers.get('access-token') ?? '')) return said(40_105, 'Access token is incorrect or has been revoked.')
    return name === 'event/track' ? told(body) : read(name, query)
  }

  function authorize(query: URLSearchParams): Response {
    const url = new URL(query.get('redirect_uri') ?? '')
    const code = `code-${Math.random().toString(36).slice(2)}`
    codes.add(code)
    for (const [key, value] of Object.entries({ auth_code: code, code, state: query.get('state') ?? '' })) url.searchParams.set(key, value)
    return new Response(null, { status: 302, headers: { location: url.href } })
  }

  function token({ app_id, secret, auth_code }: Record<string, string>): Response {
    if (app_id !== client.clientId || secret !== client.clientSecret) return said(40_002, 'Invalid app.')
    if (!codes.delete(auth_code ?? '')) return said(40_110, 'The authorization code was used.')
    const made = `token-${Math.random().toString(36).slice(2)}`
    book.tokens.add(made)
    return fine({ access_token: made, advertiser_ids: [accountId], scope: [4] })
  }

  function read(name: string, query: URLSearchParams): Response {
    if (name === 'oauth2/advertiser/get') {
      const isApp = query.get('app_id') === client.clientId && query.get('secret') === client.clientSecret
      return isApp ? fine({ list: [{ advertiser_id: accountId, advertiser_name: account.name }] }) : said(40_002, 'Invalid app.')
    }
    if (name === 'advertiser/info') {
      const { name: shown, currency, timeZone: timezone } = account
      const all = JSON.parse(query.get('advertiser_ids') ?? '[]') as string[]
      return fine({ list: all.map((advertiser_id) => ({ advertiser_id, name: shown, currency, timezone, status: 'STATUS_ENABLE' })) })
    }
    if (query.get('advertiser_id') !== accountId) return said(40_001, 'No permission to operate this advertiser.')
    const filtering = JSON.parse(query.get('filtering') ?? '{}') as Partial<Record<'campaign_ids' | 'adgroup_ids' | 'ad_ids', string[]>>
    const is = (wanted: readonly string[] | undefined, id: string) => wanted === undefined || wanted.includes(id)
    if (name === 'campaign/get') return paged(book.campaigns.map(campaignNow), query)
    if (name === 'adgroup/get') return paged(book.sets.filter((one) => is(filtering.campaign_ids, one.campaignId)).map(setNow), query)
    if (name === 'ad/get') {
      const { campaign_ids, adgroup_ids, ad_ids } = filtering
      const found = book.ads.filter((one) => is(campaign_ids, one.campaignId) && is(adgroup_ids, one.setId) && is(ad_ids, one.id))
      return paged(found.map(adNow), query)
    }
    if (name === 'pixel/list') return fine({ pixels: [{ pixel_id: '700', pixel_code: book.pixelId, pixel_name: 'Pixel' }] })
    if (name === 'report/integrated/get') return report(query)
    return new Response('Not found', { status: 404 })
  }

  const campaignNow = ({ id, name, state, dailyBudget }: (typeof book.campaigns)[number]) => ({
    campaign_id: id,
    campaign_name: name,
    operation_status: statuses[state],
    objective_type: 'WEB_CONVERSIONS',
    budget: Number(dailyBudget),
    budget_mode: 'BUDGET_MODE_DAY',
  })
  const setNow = ({ id, name, campaignId }: (typeof book.sets)[number]) => ({
    adgroup_id: id,
    adgroup_name: name,
    campaign_id: campaignId,
    operation_status: 'ENABLE',
    budget: 0,
    budget_mode: 'BUDGET_MODE_INFINITE',
  })
  const adNow = ({ id, name, setId, campaignId, url }: SimulatedAd) => ({
    ad_id: id,
    ad_name: name,
    adgroup_id: setId,
    campaign_id: campaignId,
    operation_status: 'ENABLE',
    landing_page_url: url,
  })

  function report(query: URLSearchParams): Response {
    const [from, to] = [query.get('start_date') ?? '', query.get('end_date') ?? '']
    if (query.get('dimensions') !== '["ad_id","stat_time_day"]') return said(40_002, 'dimensions: Invalid value.')
    if (Date.parse(to) - Date.parse(from) > 30 * 86_400_000) return said(40_002, 'The date range is too long.')
    return paged(book.days.filter(({ day }) => day >= from && day <= to).map(rowNow), query)
  }
  const rowNow = ({ day, ad, spend, impressions, clicks, purchases }: SimulatedDay) => ({
    dimensions: { ad_id: ad.id, stat_time_day: `${day} 00:00:00` },
    metrics: { spend, impressions: String(impressions), clicks: String(clicks), conversion: String(purchases) },
  })

  function paged(all: readonly object[], query: URLSearchParams): Response {
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('page_size') ?? 10)]
    const info = { page, page_size: size, total_number: all.length, total_page: Math.ceil(all.length / size) }
    return fine({ list: all.slice((page - 1) * size, page * size), page_info: info })
  }

  function told(body: string): Response {
    const {
      event_source,
      event_source_id,
      test_event_code: testCode = null,
      data = [],
    } = JSON.parse(body) as {
      event_source?: string
      event_source_id?: string
      test_event_code?: string
      data?: Told[]
    }
    if (event_source !== 'web' || event_source_id !== book.pixelId) return said(40_002, 'Invalid event source.')
    if (data.length === 0 || data.length > 1000) return said(40_002, 'Too many events.')
    const problem = data.map(problemOf).find((one) => one !== undefined)
    if (problem !== undefined) return said(40_002, problem)
    book.requests += 1
    for (const { event, event_time, event_id, user = {}, properties = {} } of data)
      book.events.push({
        id: event_id ?? '',
        name: event ?? '',
        at: event_time ?? 0,
        email: user.email ?? null,
        phone: user.phone ?? null,
        externalId: user.external_id ?? null,
        ip: user.ip ?? null,
        userAgent: user.user_agent ?? null,
        value: properties.value ?? null,
        currency: properties.currency ?? null,
        orderId: properties.order_id ?? null,
        contents: (properties.contents ?? []).map(({ content_id: id, quantity, price = null }) => ({ id, quantity, price })),
        clickId: user.ttclid ?? null,
        clickedAt: null,
        country: null,
        testCode,
        request: book.requests,
      })
    return fine({})
  }

  function problemOf({ event, event_time = 0, event_id, user = {} }: Told): string | undefined {
    if (!event || !event_id) return 'data: event and event_id are required.'
    if (event_time < Date.now() / 1000 - WEEK_SECONDS) return 'data: event_time is too old.'
    const digests = [user.email, user.phone, user.external_id].filter((one) => one !== undefined)
    return digests.every((digest) => /^[0-9a-f]{64}$/.test(digest)) ? undefined : 'data: user was not hashed.'
  }

  const simulator = startSimulator(options, { faultsOn: '/event/track/$', answer })
  return {
    ...simulator,
    book,
    calm() {
      simulator.calm()
      book.refusing = null
    },
  }
}
