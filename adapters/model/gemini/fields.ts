import type { AdapterContext, Fields } from 'serai/model'

export const label = 'Google Gemini'

export const credentials = {
  apiKey: { label: 'API key', secret: true, help: 'From Google AI Studio.' },
} as const satisfies Fields

export const settings = {
  version: {
    label: 'Version of the interface',
    options: ['v1beta', 'v1'],
    default: 'v1beta',
    help: 'What is new is often in v1beta alone.',
  },
  prices: {
    label: 'Prices',
    optional: true,
    help: 'In dollars for a million tokens, model by model: its name, what comes in, what goes out; then `;`, and the next. Models without a line have no price.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>

/** Returns the root address of calls. */
export const rootOf = ({ settings: { version } }: Context) => `https://generativelanguage.googleapis.com/${version}`
/** Sends the key in a header, because addresses are logged. */
export const headersOf = ({ credentials: { apiKey } }: Context) => ({ 'x-goog-api-key': apiKey, 'content-type': 'application/json' })
