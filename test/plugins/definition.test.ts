import { describe, expect, test } from 'bun:test'
import { CONTRACT } from '../../plugins/carrier/contract.ts'
import { definitionProblems } from '../../plugins/host/check.ts'
import { matchesPattern, patternProblems } from '../../plugins/patterns.ts'

const fine = {
  kind: 'carrier',
  contract: CONTRACT,
  slug: 'atlas',
  label: 'Atlas',
  countries: ['DZ'],
  currency: 'DZD',
  net: ['api.atlas.example'],
  credentials: { token: { label: 'Token', secret: true } },
  settings: {},
  exactlyOnce: 'unsafe',
  settleSeconds: 5,
  rateWindows: [{ calls: 1, seconds: 1 }],
  deliveryTypes: ['home'],
  editableIn: [],
  cancellableIn: [],
  statuses: { Done: 'delivered', Paid: { cash: 'collected' }, Known: null },
  webhook: { unsigned: 'token', receive: () => ({ outcome: 'invalid' }) },
  testConnection: () => ({}),
  send: () => ({ trackingId: 'x' }),
}

const parsed = (text: string) => JSON.parse(text) as object
const field = (given: object) => ({ credentials: { token: { label: 'Token', ...given } } })

test('a definition that is in order has no problems', () => {
  for (const net of [fine.net, [], ['*.atlas.example'], ['xn--80ak6aa92e.com', 'a-1.b2.co.uk']])
    expect(definitionProblems({ ...fine, net })).toEqual([])
})

const hostile: Record<string, object> = {
  'a host with a scheme': { net: ['https://api.atlas.example'] },
  'a host that is everything': { net: ['*'] },
  'a whole top-level domain': { net: ['*.com'] },
  'a host without a domain': { net: ['localhost'] },
  'an address': { net: ['127.0.0.1'] },
  'an address in another writing': { net: ['0x7f.1'] },
  'an address in brackets': { net: ['[::1]'] },
  'a host with a port': { net: ['api.atlas.example:8443'] },
  'a host with a dot at its end': { net: ['api.atlas.example.'] },
  'a host in capitals': { net: ['API.atlas.example'] },
  'a host in other letters': { net: ['аpi.atlas.example'] },
  'a host with a path': { net: ['api.atlas.example/x'] },
  'a star in the middle': { net: ['api.*.example'] },
  'a host that is a list': { net: [['api.atlas.example']] },
  'too many hosts': { net: Array.from({ length: 51 }, (_, at) => `a${at}.example.com`) },
  'a slug of the interface': { slug: 'webhooks' },
  'a slug with a path': { slug: '../x' },
  'a label that moves the cursor': { label: '\u001b[2J' },
  'a label that turns around': { label: '\u202eevil' },
  'a long label': { label: 'x'.repeat(81) },
  'a website that is a script': { website: 'javascript:alert(1)' },
  'fields that are no object': { credentials: [] },
  'a field called __proto__': { credentials: parsed('{"__proto__":{"label":"x"}}') },
  'a field called constructor with blanks': { settings: { 'a b': { label: 'x' } } },
  'too many fields': { settings: Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`f${at}`, { label: 'x' }])) },
  'a field without a label': { settings: { a: {} } },
  'a field of another type': field({ type: 'file' }),
  'a default that is an object': field({ default: {} }),
  'a pattern that repeats too much': field({ pattern: '(?:.{0,30}){0,30}' }),
  'a long pattern': field({ pattern: 'a'.repeat(201) }),
  'a pattern that is none': field({ pattern: '(' }),
  'a window of no time': { rateWindows: [{ calls: 1, seconds: 0 }] },
  'a window that is a text': { rateWindows: [{ calls: '1', seconds: 1 }] },
  'no windows': { rateWindows: null },
  'an endless settling': { settleSeconds: 1e9 },
  'a status that is none of ours': { statuses: { Done: 'arrived' } },
  'a flag that is none of ours': { statuses: { Done: { flag: 'x' } } },
  'too many statuses': { statuses: Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`s${at}`, 'delivered'])) },
  'a status called __proto__ that is an object of objects': { statuses: parsed('{"__proto__":{"status":{"status":1}}}') },
  'a webhook that receives nothing': { webhook: {} },
  'a webhook with a credential that is not there': { webhook: { unsigned: 'nobody', receive: () => ({ outcome: 'invalid' }) } },
  'no send': { send: undefined },
  'send that is a text': { send: 'x' },
  'something that the contract does not know': { admin: true },
  'a getter that throws': {
    get label(): string {
      throw new Error('inside')
    },
  },
}
for (const [what, change] of Object.entries(hostile))
  test(`${what} is a problem`, () => {
    const problems = definitionProblems(Object.defineProperties({ ...fine }, Object.getOwnPropertyDescriptors(change)))
    expect(problems.length).toBeGreaterThan(0)
    expect(problems.join().length).toBeLessThan(3000)
  })

test('what is no definition at all is a problem too', () => {
  for (const none of [
    undefined,
    null,
    7,
    'x',
    [],
    () => {},
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('inside')
        },
      },
    ),
  ])
    expect(definitionProblems(none).length).toBeGreaterThan(0)
})

describe('patterns', () => {
  const typed = Array.from({ length: 2_000 }, (_, at) => 'ab'[((at * at * 7) >> 2) & 1]).join('')

  test('are matched whole, in linear time, whatever they are', () => {
    const endless = [
      '(a+)+',
      '(a|a)*',
      '(a|aa)+',
      '(.*)*',
      '(x+x+)+y',
      '(?:[a-z.]+\\.)+',
      '(a?){30}',
      '(?:.*a.{250}|x)*',
      '(?:[ab]*a[ab]{200}){2}',
    ]
    for (const pattern of endless) {
      expect([pattern, patternProblems([['form', pattern]])]).toEqual([pattern, []])
      for (const text of [`${'a'.repeat(1_999)}!`, typed]) {
        // What a busy machine adds it does not add each time.
        const times = [1, 2, 3].map(() => {
          const began = performance.now()
          matchesPattern(pattern, text)
          return performance.now() - began
        })
        expect([pattern, Math.min(...times) < 100]).toEqual([pattern, true])
      }
    }
  })

  test('that a form needs are taken', () => {
    const taken: [string, string, string][] = [
      ['[A-Za-z0-9_-]{1,64}', 'a_b-9', 'a b'],
      ['0[1-9]|[1-4]\\d|5[0-8]', '58', '580'],
      ['(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}', 'demo.example.dz', '-demo.example.dz'],
      ['[^@]{1,64}@[^@]{1,190}', 'amina@example.dz', 'amina@@example.dz'],
      ['\\p{L}+', 'أمينة', 'amina1'],
      ['\\u0041\\/', 'A/', 'B/'],
    ]
    for (const [pattern, right, wrong] of taken) {
      expect([pattern, patternProblems([['form', pattern]])]).toEqual([pattern, []])
      expect([pattern, matchesPattern(pattern, right), matchesPattern(pattern, wrong)]).toEqual([pattern, true, false])
    }
  })

  test('that are none, look around, or are too long together are not', () => {
    for (const pattern of ['(', '(?=a)a', '(a+\\1)+', '.{0,1001}', '(?:.{1,30}){1,40}'])
      expect([pattern, patternProblems([['form', pattern]]).length]).toEqual([pattern, 1])
    expect(
      patternProblems([
        ['one', '.{1,255}'],
        ['other', '.{1,255}'],
      ])[0],
    ).toContain('1022 steps where 800 are allowed')
  })
})
