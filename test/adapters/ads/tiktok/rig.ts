import { openDesk, type Rig } from '../../../../plugins/ads/acceptance.ts'
import type { AdsAdapter } from '../../../../plugins/ads/index.ts'
import { callsOf, failing } from '../book.ts'
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
    fail: failing(simulator, book),
    calm: () => simulator.calm(),
    secretsInQuery: '/oauth2/advertiser/get/$',
    close: () => simulator.stop(),
  }
}
