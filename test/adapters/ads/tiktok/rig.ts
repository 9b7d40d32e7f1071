import { openDesk, type Rig } from '../../../../plugins/ads/acceptance.ts'
import type { AdsAdapter } from '../../../../plugins/ads/index.ts'
import { account, callsOf, failing } from '../book.ts'
import { accountId, client, startTikTokAds } from './simulator.ts'

const EIGHT_DAYS_SECONDS = 8 * 86_400

export function rig(adapter: AdsAdapter, simulator = startTikTokAds()): Rig {
  const { book } = simulator
  const credentials = { ...client, accessToken: 'token-of-a-signed-in-person' }
  const origins = Object.fromEntries(adapter.net.map((host) => [host, simulator.url]))
  return {
    credentials,
    badCredentials: { accessToken: 'token-of-somebody-else' },
    open: (options) => openDesk(adapter, origins, { credentials, ...options }),
    account: {
      id: accountId,
      currency: account.currency,
      timeZone: account.timeZone,
      campaigns: book.campaigns.map((one) => ({ ...one, dailyBudget: String(Number(one.dailyBudget)) })),
      insights: book.days.map(({ ad, purchases, leads: _, ...day }) => ({
        ...day,
        conversions: purchases,
        adId: ad.id,
        adSetId: ad.setId,
        campaignId: ad.campaignId,
      })),
      url: book.ads[0]?.url ?? null,
    },
    pixelId: book.pixelId,
    phone: 'plus',
    spoiled: (event) => ({ ...event, at: event.at - EIGHT_DAYS_SECONDS }),
    seen: async () => [...book.events],
    calls: async () => callsOf(simulator),
    patterns: { campaigns: '/campaign/get/$', insights: '/report/integrated/get/$', sendEvents: '/event/track/$' },
    // Of a list it can say that all is well, and leave the list out; of events it says no more anyway.
    fail(fault, calls) {
      if (fault === 'mumbled' && !calls.startsWith('/event/')) book.refusing = { fault, calls }
      else failing(simulator, book)(fault, calls)
    },
    calm: () => simulator.calm(),
    secretsInQuery: '/oauth2/advertiser/get/$',
    close: () => simulator.stop(),
  }
}
