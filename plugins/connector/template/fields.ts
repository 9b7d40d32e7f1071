import type { AdapterContext, Fields } from 'serai/connector'

export const label = 'Example'
export const HOST = 'api.example.com'

export const credentials = {
  token: { label: 'Token', secret: true },
  webhookSecret: { label: 'Secret of callbacks', secret: true, optional: true },
} as const satisfies Fields

export const settings = {} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
