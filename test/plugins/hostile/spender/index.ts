// @ts-nocheck: it tries what no adapter may, and much of that has no type
import { carrier } from 'serai/carrier'

const from = (name) => import(`${name}`)
const held = []
const never = new Promise(() => {})
/** Lets the server come in between. */
const breath = () => new Promise((resolve) => setTimeout(resolve, 0))

const attacks = {
  fine: () => 'fine',
  loop: () => {
    for (;;);
  },
  microtasks: async () => {
    for (;;) await null
  },
  objects: () => {
    for (;;) held.push(Array.from({ length: 1000 }, (_, at) => ({ at, text: `${at} and ${held.length}` })))
  },
  buffers: async () => {
    for (; ; await breath()) held.push(new Uint8Array(8 * 1024 * 1024).fill(held.length))
  },
  shared: async () => {
    for (; ; await breath()) held.push(new Uint8Array(new SharedArrayBuffer(8 * 1024 * 1024)).fill(1))
  },
  strings: () => {
    for (let text = 'x'; ; ) {
      text += text
      held.push(text.replace('x', 'y'))
    }
  },
  pattern: () => /^(a+)+$/.test(`${'a'.repeat(60)}!`),
  logs: async ({ log }) => {
    for (let at = 0; at < 1e6; at += 1) log('x'.repeat(1e6), { at })
    return 'logged'
  },
  fetches: async ({ fetch }) => {
    const all = Array.from({ length: 5000 }, () => fetch('https://api.hostile.example/slow').catch(() => {}))
    await Promise.race([Promise.all(all), new Promise((resolve) => setTimeout(resolve, 1000))])
    return 'asked'
  },
  notes: async ({ memory }) => {
    await memory.set('x'.repeat(1e6), 1)
  },
  bigNote: async ({ memory }) => {
    await memory.set('x', 'x'.repeat(5e6))
  },
  stdout: async () => {
    const { writeSync } = await from('node:fs')
    for (;;) writeSync(1, 'x'.repeat(65536))
  },
  streamed: async () => {
    const { stdout } = await from('node:process')
    for (; ; await breath()) stdout.write('x'.repeat(65536))
  },
  stderr: async () => {
    const { stderr } = await from('node:process')
    for (; ; await breath()) stderr.write('x'.repeat(65536))
  },
  exit: async () => (await from('node:process')).exit(0),
  abort: async () => (await from('node:process')).abort(),
  never: () => never,
  // biome-ignore lint/suspicious/noThenProperty: that is the attack
  thenable: () => ({ then() {} }),
  huge: () => 'x'.repeat(30 * 1024 * 1024),
  sum: () => Array.from({ length: 200_000 }, (_, at) => at),
}

export default carrier({
  slug: 'spender',
  label: 'spender',
  countries: ['DZ'],
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
  /** The attack stands where the state does; what it reached comes back in the state's place. */
  fees: async (context, { stateCode }) => {
    const reached = await attacks[stateCode](context)
    return [{ stateCode: JSON.stringify(reached), home: 1, pickup: null }]
  },
})
