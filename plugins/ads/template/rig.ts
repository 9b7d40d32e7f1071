import type { AdsAdapter } from 'serai/ads'
import { openDesk, type Rig } from 'serai/ads/acceptance'
import { account, ads, campaigns, days, startSimulator, token } from './simulator.ts'

const EIGHT_DAYS_SECONDS = 8 * 86_400
const states = { on: 'active', off: 'paused' } as const

/** Connects the acceptance suite to the simulator: credentials, its data, and every way in which the platform can fail. */
export function rig(adapter: AdsAdapter): Rig {
  const simulator = startSimulator()
  const credentials = { token }
  const origins = Object.fromEntries(adapter.net.map((host) => [host, simulator.url]))
  return {
    credentials,
    badCredentials: { token: 'example-token-of-nobody' },
    open: (options) => openDesk(adapter, origins, { credentials, ...options }),
    account: {
      id: account.id,
      currency: account.currency,
      timeZone: account.zone,
      campaigns: campaigns.map(({ id, name, status, budget }) => ({
        id,
        name,
        state: status === 'on' ? states.on : states.off,
        dailyBudget: budget,
      })),
      insights: days.map(({ day, ad, campaign, set, spend, shown, clicks, bought }) => ({
        day,
        campaignId: campaign,
        adSetId: set,
        adId: ad,
        spend,
        impressions: shown,
        clicks,
        purchases: bought,
      })),
      url: ads[0]?.url ?? null,
    },
    pixelId: '501',
    phone: 'digits',
    spoiled: (event) => ({ ...event, at: event.at - EIGHT_DAYS_SECONDS }),
    seen: async () =>
      simulator.told.map(({ event, test, request }) => ({
        id: event.id,
        name: event.name,
        at: event.at,
        email: event.email ?? null,
        phone: event.phone ?? null,
        externalId: event.customer ?? null,
        ip: event.ip ?? null,
        userAgent: event.userAgent ?? null,
        value: event.value ?? null,
        currency: event.currency ?? null,
        orderId: event.order ?? null,
        contents: (event.contents ?? []).map(({ id, quantity, price = null }) => ({ id, quantity, price })),
        clickId: event.click ?? null,
        clickedAt: null,
        country: null,
        testCode: test,
        request,
      })),
    calls: async () => simulator.calls,
    patterns: { campaigns: '/campaigns$', insights: '/days$', sendEvents: '/events$' },
    fail: simulator.fail,
    calm: simulator.calm,
    close: simulator.stop,
  }
}
