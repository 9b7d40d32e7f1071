// @ts-nocheck: it tries what no adapter may, and much of that has no type
import { carrier } from 'serai/carrier'
import { from, harmless, reached } from './harmless.ts'

const held = []
const never = new Promise(() => {})
/** Lets the server come in between. */
const breath = () => new Promise((resolve) => setTimeout(resolve, 0))

/** A message of the protocol, as it stands in the pipe. */
function framed(text) {
  const json = new TextEncoder().encode(text)
  const whole = new Uint8Array(8 + json.length)
  new DataView(whole.buffer).setUint32(0, json.length, true)
  whole.set(json, 8)
  return whole
}

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
  notes: async ({ storage }) => {
    await storage.set('x'.repeat(1e6), 1)
  },
  bigNote: async ({ storage }) => {
    await storage.set('x', 'x'.repeat(5e6))
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
  waits: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  flags: async () => {
    const v8 = await from('node:v8')
    v8.setFlagsFromString('--max-old-space-size=8000')
    for (;;) held.push(new Array(1e5).fill({}))
  },
  // On behalf of whatever call is under way, until it is stopped.
  denseLogs: async () => {
    const { writeSync } = await from('node:fs')
    const log = framed(`{"type":"log","call":1,"message":"x","fields":{"a":[${'[],'.repeat(5e6)}1]}}`)
    for (;;) writeSync(1, log)
  },
  longLogs: async ({ log }) => {
    for (let at = 0; at < 100; at += 1) log('x', { at, text: 'x'.repeat(1e6) })
    return 'logged'
  },
  later: () => {
    setTimeout(() => {
      for (;;);
    }, 20)
    return 'left'
  },
  pause: () => new Promise((resolve) => setTimeout(() => resolve('rested'), 500)),
  headers: async ({ fetch }) => {
    const headers = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`x-${at}`, 'x']))
    await fetch('https://api.hostile.example/', { headers })
  },
  key: ({ storage }) =>
    storage
      .set('__proto__', JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'))
      .then(() => 'kept'),
  // biome-ignore lint/suspicious/noThenProperty: that is the attack
  thenable: () => ({ then() {} }),
  huge: () => 'x'.repeat(30 * 1024 * 1024),
  sum: () => Array.from({ length: 200_000 }, (_, at) => at),
}

export default carrier({
  ...harmless('spender'),
  fees: reached(attacks),
})
