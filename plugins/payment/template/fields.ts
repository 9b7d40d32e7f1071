import type { AdapterContext, Fields } from 'serai/payment'

/** Name of the gateway in messages. */
export const label = 'Example'

/** Credentials of an account. The connect form, the checks and the masking are built from them. */
export const credentials = {
  token: { label: 'API token', secret: true, help: 'From the developer page of the gateway’s dashboard.' },
  webhookSecret: { label: 'Webhook secret', secret: true, optional: true, help: 'Without it no callback is believed.' },
} as const satisfies Fields

/** Settings that a store can change. */
export const settings = {} as const satisfies Fields

/** Context of each call, with these credentials and settings. */
export type Context = AdapterContext<typeof credentials, typeof settings>
