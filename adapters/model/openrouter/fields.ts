import type { AdapterContext, ChatServer, Fields } from 'serai/model'

export const label = 'OpenRouter'

export const credentials = {
  apiKey: { label: 'API key', secret: true, help: 'From openrouter.ai → Keys.' },
} as const satisfies Fields

export const settings = {} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>

/** Returns the root address and headers of calls. */
export const serverOf = ({ credentials: { apiKey } }: Context): ChatServer => ({
  label,
  root: 'https://openrouter.ai/api/v1',
  headers: { authorization: `Bearer ${apiKey}`, 'x-title': 'Serai' },
})
