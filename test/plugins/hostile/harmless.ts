// @ts-nocheck: the suite puts it into each folder beside it, since an adapter reaches no file but its own
/** What a hostile adapter says of itself; each overrides what it attacks with. */
export const harmless = (slug) => ({
  slug,
  label: slug,
  // No catalogue knows its states, so an attack can be named where a state stands.
  countries: ['AQ'],
  currency: 'DZD',
  net: ['api.hostile.example'],
  credentials: { token: { label: 'What to go for', secret: true } },
  settings: {},
  exactlyOnce: 'unsafe',
  settleSeconds: 5,
  rateWindows: [],
  deliveryTypes: ['home'],
  editableIn: [],
  cancellableIn: [],
  statuses: {},
  testConnection: () => ({}),
  send: () => {
    throw new Error('not asked here')
  },
})

/** Fees that attack: the attack stands where the state does, and what it reached comes back in the state's place. */
export const reached =
  (attacks) =>
  async (context, { stateCode }) => [{ stateCode: JSON.stringify(await attacks[stateCode](context)), home: 1, pickup: null }]

const anything = () =>
  new Proxy(() => {}, { get: (_, key) => (key === Symbol.toPrimitive ? () => 1 : anything()), apply: anything, construct: anything })
/** Some of Deno's own modules ask for the global that was taken away, and are content with anything in its place. */
export const from = async (name) => {
  globalThis.Deno = anything()
  try {
    return await import(`${name}`)
  } finally {
    delete globalThis.Deno
  }
}
