import { type AdapterContext, type Fields, sharedSettings } from 'serai/social'

export const LABEL = 'TikTok'
export const HOST = 'open.tiktokapis.com'

export const credentials = {
  clientId: { label: 'Client key' },
  clientSecret: { label: 'Client secret', secret: true },
} as const satisfies Fields

export const settings = {
  ...sharedSettings,
  challenge: {
    label: 'How the challenge of the code is written',
    options: ['base64url', 'hex'],
    default: 'base64url',
    help: 'hex only if TikTok refuses codes otherwise.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
