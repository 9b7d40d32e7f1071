import type { AdapterContext, Fields } from 'serai/model'

export const label = 'Anthropic'

export const credentials = {
  apiKey: { label: 'API key', secret: true, help: 'From the console of Anthropic.' },
} as const satisfies Fields

export const settings = {
  version: {
    label: 'Version of the interface',
    options: ['2023-06-01', '2026-10-21'],
    default: '2023-06-01',
    help: 'The newer one takes no temperature, at which it answers 400: then none is sent.',
  },
  longest: {
    label: 'Longest answer',
    type: 'number',
    default: 4096,
    help: 'In tokens, unless a request sets another. The API requires one.',
  },
  prices: {
    label: 'Prices',
    optional: true,
    help: 'In dollars for a million tokens, model by model: its name, what comes in, what goes out; then `;`, and the next. Models without a line have no price.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>

export const ROOT = 'https://api.anthropic.com/v1'

export const headersOf = ({ credentials: { apiKey }, settings: { version } }: Context) => ({
  'x-api-key': apiKey,
  'anthropic-version': version,
  'content-type': 'application/json',
})
