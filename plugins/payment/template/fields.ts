import type { AdapterContext, Fields } from 'serai/payment'

export const label = 'Example'

/** The connect form, the checks and the masking come from here. */
export const credentials = {
  token: { label: 'API token', secret: true, help: 'From the developer page of the gateway’s dashboard.' },
  webhookSecret: { label: 'Webhook secret', secret: true, optional: true, help: 'Without it no callback is believed.' },
} as const satisfies Fields

export const settings = {} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
