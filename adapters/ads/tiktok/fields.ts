import type { AdapterContext, Fields } from 'serai/ads'

export const LABEL = 'TikTok Ads'
export const HOST = 'business-api.tiktok.com'

export const credentials = {
  clientId: { label: 'App ID', optional: true, pattern: '[0-9]{1,30}', help: "The store's own app; left out, that of the platform." },
  clientSecret: { label: 'App secret', secret: true, optional: true },
  eventsToken: {
    label: 'Access token of the Events API',
    secret: true,
    optional: true,
    help: 'From the settings of the pixel in the Events Manager. With it, events need no sign-in. Without it, they are sent with the token of the signed-in user.',
  },
  accessToken: { label: 'Access token', secret: true, optional: true },
} as const satisfies Fields

export const settings = {} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
