import type { AdapterContext, Fields } from 'serai/model'

export const label = 'Example'

/** The connect form, the checks and the masking come from here. */
export const credentials = {
  key: { label: 'API key', secret: true, help: 'From the settings of the account.' },
} as const satisfies Fields

export const settings = {} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
