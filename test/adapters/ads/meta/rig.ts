import { openDesk, type Rig } from '../../../../plugins/ads/acceptance.ts'
import type { AdsAdapter } from '../../../../plugins/ads/index.ts'
import { account, callsOf, failing } from '../book.ts'
import { accountId, client, foreignAd, startMeta } from './simulator.ts'

const EIGHT_DAYS_SECONDS = 8 * 86_400

export function rig(adapter: AdsAdapter, simulator = startMeta()): Rig {
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
      campaigns: book.campaigns,
      insights: book.days.map(({ ad, ...day }) => ({ ...day, adId: ad.id, adSetId: ad.setId, campaignId: ad.campaignId })),
      url: book.ads[0]?.url ?? null,
    },
    adOfOthers: foreignAd.id,
    campaignOfOthers: foreignAd.campaignId,
    pixelId: book.pixelId,
    phone: 'digits',
    spoiled: (event) => ({ ...event, at: event.at - EIGHT_DAYS_SECONDS }),
    seen: async () => [...book.events],
    calls: async () => callsOf(simulator),
    patterns: { campaigns: '^GET /v26.0/act_\\d+/campaigns$', insights: '/insights$', sendEvents: '/events$' },
    fail: failing(simulator, book),
    calm: () => simulator.calm(),
    close: () => simulator.stop(),
  }
}
