import type { AdapterContext, Fields } from 'serai/model'

/** Name of the provider in messages. */
export const label = 'Example'

/** Credentials of an account. The connect form, the checks and the masking are built from them. */
export const credentials = {
  key: { label: 'API key', secret: true, help: 'From the settings of the account.' },
} as const satisfies Fields

/** Settings that a store can change. */
export const settings = {} as const satisfies Fields

/** Context of each call, with these credentials and settings. */
export type Context = AdapterContext<typeof credentials, typeof settings>
