// @ts-nocheck: its kind has a name where a test says so, and nowhere else
import { message } from 'serai/message'

const label = 'Example'
const at = '2026-11-22T10:00:00Z'

export default message({
  slug: 'example',
  label,
  net: ['api.example.com'],
  credentials: { token: { label: 'Token', secret: true } },
  settings: {},
  rateWindows: [],
  lettersMax: 160,
  branded: ['balance', 'arrived'],
  send: ({ connectionId }, { reference }) => ({ id: `${connectionId}-${reference}`, at }),
  deliveries: (_, { state }) => [{ id: 'one', state: state ?? 'sent', at }],
  async *recite({ fetch }, { from }) {
    const { body } = await fetch(from, { streams: true })
    const decoder = new TextDecoder()
    for await (const bytes of body) yield { line: decoder.decode(bytes, { stream: true }) }
  },
  purse: { balance: () => ({ amount: 12.5 }) },
  webhook: {
    receive: ({ headers, url }) =>
      headers['x-secret'] === 'right'
        ? { outcome: 'events', signed: true, events: [{ id: new URL(url).searchParams.get('id'), state: 'delivered', at }] }
        : { outcome: 'invalid' },
  },
})
