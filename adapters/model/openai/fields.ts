import type { AdapterContext, ChatServer, Fields } from 'serai/model'

export const label = 'OpenAI'

export const credentials = {
  apiKey: { label: 'API key', secret: true, optional: true, help: 'A compatible server of your own may need none.' },
} as const satisfies Fields

export const settings = {
  address: {
    label: 'Address',
    default: 'https://api.openai.com/v1',
    pattern: 'https?://[^\\s?#]{1,200}',
    help: 'Of OpenAI, or of any server that is asked in the same way: what stands before /chat/completions.',
  },
  limit: {
    label: 'How the longest answer is asked for',
    options: ['max_completion_tokens', 'max_tokens'],
    default: 'max_completion_tokens',
    help: 'Compatible servers mostly know max_tokens alone.',
  },
  pictures: { label: 'Models look at pictures', type: 'boolean', default: true },
  prices: {
    label: 'Prices',
    optional: true,
    help: 'In dollars for a million tokens, model by model: its name, what comes in, what goes out; then `;`, and the next. Models without a line have no price.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>

/** Returns the root address and headers of calls. */
export const serverOf = ({ credentials: { apiKey }, settings: { address } }: Context): ChatServer => ({
  label,
  root: address.replace(/\/+$/, ''),
  headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
})
