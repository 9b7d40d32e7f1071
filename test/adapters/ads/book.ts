import type { Fault, SeenCall, SeenEvent } from '../../../plugins/ads/acceptance.ts'
import type { Simulator } from '../../support/simulator/simulator.ts'

/** What stands in the simulated account, in words of no platform. Amounts are in the major unit. */
export const account = { number: '1234567890', name: 'Boutique DZ', currency: 'USD', timeZone: 'Africa/Algiers' }

export interface SimulatedAd {
  readonly id: string
  readonly name: string
  readonly setId: string
  readonly campaignId: string
  readonly url: string
}
export interface SimulatedDay {
  readonly day: string
  readonly ad: SimulatedAd
  readonly spend: string
  readonly impressions: number
  readonly clicks: number
  readonly purchases: number
  readonly leads: number
}

const campaigns = [
  { id: '2001', name: 'Baskets', state: 'active' as const, dailyBudget: '25.50' },
  { id: '2002', name: 'Scarves', state: 'paused' as const, dailyBudget: '7.00' },
]
const sets = [
  { id: '3001', name: 'Alger', campaignId: '2001' },
  { id: '3002', name: 'Oran', campaignId: '2002' },
]
const ads: readonly SimulatedAd[] = [
  {
    id: '4001',
    name: 'Basket\tvideo\u202c',
    setId: '3001',
    campaignId: '2001',
    url: 'https://shop.example/products/basket?utm_source=ads',
  },
  { id: '4002', name: 'Scarf picture', setId: '3002', campaignId: '2002', url: ' https://shop.example/x y?landingPageId=page-1 ' },
]
const [basket, scarf] = ads as [SimulatedAd, SimulatedAd]

/** Another side of a platform: what it has, what it was told, and its bad days. */
export function openBook() {
  const days: SimulatedDay[] = [
    { day: '2026-11-01', ad: basket, spend: '12.34', impressions: 1000, clicks: 40, purchases: 3, leads: 2 },
    { day: '2026-11-02', ad: basket, spend: '0.1', impressions: 10, clicks: 0, purchases: 0, leads: 0 },
    { day: '2026-11-02', ad: scarf, spend: '7.05', impressions: 500, clicks: 12, purchases: 1, leads: 0 },
  ]
  return {
    campaigns,
    sets,
    ads,
    days,
    pixelId: 'C4PIXEL123',
    events: [] as SeenEvent[],
    requests: 0,
    /** Tokens that are taken. */
    tokens: new Set(['token-of-a-signed-in-person']),
    /** Answers in the platform's own way, until it is calm again. */
    refusing: null as { readonly fault: 'rate_limited' | 'unauthorized' | 'mumbled' | 'forbidden'; readonly calls: string } | null,
  }
}
export type Book = ReturnType<typeof openBook>

export const callsOf = ({ requests }: Pick<Simulator, 'requests'>): SeenCall[] =>
  requests.map(({ at, method, path, query, headers, body }) => ({
    at,
    method,
    path,
    query: String(query),
    headers: Object.fromEntries(headers),
    body,
  }))

const faults: Readonly<Partial<Record<Fault, object>>> = {
  ignored: { ignore: 1 },
  error: { error500: 1 },
  malformed: { malformed: 1 },
  mumbled: { mumbled: 1 },
}

export function failing(simulator: Simulator, book: Book) {
  return (fault: Fault, calls: string) => {
    if (fault === 'rate_limited' || fault === 'unauthorized') book.refusing = { fault, calls }
    else Object.assign(simulator.faults, { ...faults[fault], on: calls })
  }
}
