// @ts-nocheck: it tries what no adapter may, and much of that has no type
import { CarrierError, carrier } from 'serai/carrier'
import { from, harmless } from './harmless.ts'

const fee = { stateCode: '16', home: 1, pickup: null }

/** A message of the protocol, as it stands in the pipe; `beside` it stand its bytes. */
function framed(message, beside = '') {
  const [json, bytes] = [typeof message === 'string' ? message : JSON.stringify(message), beside].map((text) =>
    new TextEncoder().encode(text),
  )
  const whole = new Uint8Array(8 + json.length + bytes.length)
  new DataView(whole.buffer).setUint32(0, json.length, true)
  new DataView(whole.buffer).setUint32(4, bytes.length, true)
  whole.set(json, 8)
  whole.set(bytes, 8 + json.length)
  return whole
}

async function forge(...messages) {
  const { writeSync } = await from('node:fs')
  const { stdout } = await from('node:process')
  for (const message of messages) {
    const bytes = message instanceof Uint8Array ? message : framed(message)
    try {
      writeSync(1, bytes)
    } catch {
      stdout.write(bytes)
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 200))
  return [fee]
}

const shapes = {
  fine: [fee],
  nothing: undefined,
  null: null,
  text: 'x',
  number: 7,
  truth: true,
  object: {},
  rows: [1, 2, 3],
  half: [{ stateCode: '16' }],
  negative: [{ ...fee, home: -1 }],
  written: [{ ...fee, home: '100' }],
  nul: [{ ...fee, stateCode: 'a\u0000b' }],
  many: Array.from({ length: 60_000 }, () => fee),
  deep: JSON.parse(`${'['.repeat(3000)}${']'.repeat(3000)}`),
  proto: JSON.parse('[{"stateCode":"16","home":1,"pickup":null,"__proto__":{"isAdmin":true}}]'),
}

const throws = {
  throwsNull: () => Promise.reject(null),
  throwsNothing: () => Promise.reject(),
  throwsText: () => Promise.reject('a text'),
  throwsSymbol: () => Promise.reject(Symbol('x')),
  throwsGetter: () =>
    Promise.reject({
      get name() {
        throw new Error('inside')
      },
    }),
  throwsProxy: () =>
    Promise.reject(
      new Proxy(
        {},
        {
          get() {
            throw new Error('inside')
          },
        },
      ),
    ),
  throwsHuge: () => Promise.reject(new Error('x'.repeat(50_000_000))),
  throwsReason: () => Promise.reject(Object.assign(new Error('x'), { name: 'CarrierError', reason: 'constructor' })),
  throwsDeep: () =>
    Promise.reject(
      Object.assign(new Error('x'), {
        name: 'CarrierError',
        reason: 'refused',
        upstream: { code: {}, message: [], retryAfterSeconds: 'soon' },
      }),
    ),
  throwsRefusal: () => Promise.reject(new CarrierError('refused', 'It says no.', { code: '7', message: 'no' })),
  throwsLimit: () => Promise.reject(new CarrierError('rate_limited', 'later', { retryAfterSeconds: 1e300 })),
  cyclic: () => {
    const row = { ...fee }
    row.self = row
    return [row]
  },
  bigint: () => [{ ...fee, home: 1n }],
  toJson: () => ({
    toJSON() {
      throw new Error('inside')
    },
  }),
}

const forgeries = {
  forgedResult: () => forge(framed({ type: 'result', call: 999 }, '1'), { type: 'result', call: 0 }),
  forgedOwn: () => forge(...Array.from({ length: 50 }, (_, call) => framed({ type: 'result', call: call + 1 }, '"forged"'))),
  forgedType: () => forge({ type: '__proto__' }, { type: 'constructor' }),
  forgedReady: () => forge(framed({ type: 'ready' }, '[{"data":{"slug":"sandbox","net":["*"]},"functions":[]}]')),
  forgedFetch: () => forge({ type: 'fetch', id: 1, call: 77, fetch: { url: 'https://api.hostile.example/forged', hasBody: false } }),
  forgedLength: () => forge(new Uint8Array([255, 255, 255, 255, 255, 255, 255, 255])),
  forgedJson: () => forge('{"type":'),
  forgedNull: () => forge('null'),
  garbage: () => forge(crypto.getRandomValues(new Uint8Array(10_000))),
}

const attacks = { ...throws, ...forgeries }

export default carrier({
  ...harmless('liar'),
  fees: (_context, { stateCode }) => (Object.hasOwn(shapes, stateCode) ? shapes[stateCode] : attacks[stateCode]()),
  testConnection: () => ({ account: { toString: 'x' } }),
  labels: () => [{ contentType: 'application/pdf', base64: 'x'.repeat(25 * 1024 * 1024) }],
  track: () => [{ trackingId: 'x', carrierStatus: 'x', at: 'yesterday' }],
  webhook: {
    challenges: true,
    receive: ({ url }) =>
      url.includes('challenge')
        ? { outcome: 'challenge', answer: { status: 302, contentType: 'text/html', body: '<script>' } }
        : { outcome: 'yes', signed: 'yes', events: [] },
  },
  setupWebhook: () => ({ credentials: { token: 'new', admin: 'yes' } }),
})
