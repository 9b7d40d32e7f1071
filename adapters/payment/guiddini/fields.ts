import type { AdapterContext, Fields } from 'serai/payment'

export const HOST = 'epay.guiddini.dz'

export const credentials = {
  appKey: { label: 'Application key', secret: true, help: 'Development and production have keys of their own: the key chooses.' },
  appSecret: { label: 'Application secret', secret: true },
} as const satisfies Fields

export const settings = {} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
