import type { AdapterContext, Fields } from 'serai/connector'

/** Name of the platform in messages. */
export const label = 'Example'
/** Host of the platform's API. */
export const HOST = 'api.example.com'

/** Credentials of a shop. The connect form, the checks and the masking are built from them. */
export const credentials = {
  token: { label: 'Token', secret: true },
  webhookSecret: { label: 'Secret of callbacks', secret: true, optional: true },
} as const satisfies Fields

/** Settings that a store can change. */
export const settings = {} as const satisfies Fields

/** Context of each call, with these credentials and settings. */
export type Context = AdapterContext<typeof credentials, typeof settings>
